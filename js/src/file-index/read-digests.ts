import { TrimtabError } from '../error.js'
import { checkKeys } from '../nearest.js'
import { checkCount } from '../options.js'
import { LazyReport, type PlannedView } from '../report.js'
import type { Original } from '../session.js'
import type { BlockFacts, EditReport, PassName, Projection } from '../types.js'
import { bytesOf } from './budget.js'
import { conversationText } from './conversation.js'
import { type LineRun, lengthOf, numberedLines } from './digest-text.js'
import type { FileIndex } from './file-index.js'
import { linesOfRead, type ReadLines, sectionsOfRead } from './read-lines.js'

export interface ReadDigestsOptions {
  /** How many lines of an old read stay at most. Default 50. */
  lines?: number
  /** What {@link ReadDigests.toJSON} gave. */
  saved?: SavedDigests
}

/** Which lines were kept of which read, by the stub that stands for it; `null` for a read of which none were. */
export interface SavedDigests {
  version: 1
  digests: [stub: string, lines: [startLine: number, endLine: number][] | null][]
}

/** A read that is shown as a digest. */
export interface DigestedRead {
  /** The message's position in the history. */
  message: number
  /** The block's position in its message. */
  block: number
  path: string
  /** The lines shown, by their places in what was read. */
  ranges: LineRun[]
  /** Estimated tokens of what stands there. */
  tokens: number
}

/** A view in which old reads are digests. */
export interface DigestedView<M> {
  messages: M[]
  digests: DigestedRead[]
  /** Estimated tokens of the view. */
  tokensAfter: number
}

/** What stands below the stub of a read. */
interface Shown {
  ranges: LineRun[]
  text: string
}

/** Passes that clear for age or size. What they clear was of no use as a whole; a pointer or a superseded read is of none. */
const PASSES: readonly PassName[] = ['age', 'clear']
/** Fewer lines tell less than they cost. */
const LEAST_LINES = 3
const SAVED_VERSION = 1

/**
 * Turns the stubs of old reads into digests: below each stub, the lines of the read that matter to the conversation at the
 * time when it was cleared. What is cleared, when, and what is protected, the policy decides; the reference in the stub
 * still gives the whole read back. Lines that were once chosen stay.
 */
export class ReadDigests {
  readonly #index: FileIndex
  readonly #lines: number
  /** By stub: a stub names its original by digest. */
  readonly #chosen = new Map<string, LineRun[] | null>()
  readonly #texts = new Map<string, string>()

  constructor(index: FileIndex, { lines = 50, saved }: ReadDigestsOptions = {}) {
    this.#index = index
    this.#lines = lines
    for (const [stub, rows] of saved?.digests ?? []) {
      this.#chosen.set(stub, rows?.map(([startLine, endLine]) => ({ startLine, endLine })) ?? null)
    }
  }

  /**
   * A view with digests in place of the stubs of old reads.
   *
   * @param projection What `project`, or `project` of a `Context`, made.
   * @throws {TrimtabError} `invalid_option`.
   */
  apply<M extends object>(projection: Projection<M>): DigestedView<M> {
    const view = LazyReport.viewOf(projection?.report)
    if (view === undefined) {
      const message = 'projection must be what project() or a Context made, as it is'
      throw new TrimtabError('invalid_option', message, { argument: 'projection' })
    }
    const { edits } = projection.report
    const history = new History(view)
    let { tokensAfter } = projection.report
    const texts = new Map<number, string>()
    const digests: DigestedRead[] = []
    edits.forEach((edit, at) => {
      const shown = this.#shown(edit, history)
      if (shown === undefined) return
      const text = `${edit.text}\n${shown.text}`
      const tokens = tokensOf(text)
      const grown = tokensAfter + tokens - edit.tokensAfter
      // A view that is to fit must go on fitting.
      if (view.maxTokens !== null && grown > view.maxTokens) return
      tokensAfter = grown
      texts.set(at, text)
      const { message, block } = edit
      digests.push({ message, block, path: history.factsOf(edit)?.path ?? '', ranges: shown.ranges, tokens })
    })
    return { messages: view.withTexts(projection.messages, texts), digests, tokensAfter }
  }

  /** Which lines were chosen, to go on with them after a restart. No content is in it. */
  toJSON(): SavedDigests {
    const digests = [...this.#chosen].map(([stub, ranges]): SavedDigests['digests'][number] => [
      stub,
      ranges?.map(({ startLine, endLine }) => [startLine, endLine]) ?? null,
    ])
    return { version: SAVED_VERSION, digests }
  }

  #shown(edit: EditReport, history: History): Shown | undefined {
    const stub = edit.text
    const reference = REFERENCE.exec(stub ?? '')?.[1]
    if (stub === null || reference === undefined || !PASSES.includes(edit.pass)) return undefined
    let ranges = this.#chosen.get(stub)
    let text = this.#texts.get(stub)
    if (ranges === null) return undefined
    if (ranges === undefined || text === undefined) {
      const made = this.#make(edit, reference, history, ranges)
      ranges = made?.ranges ?? null
      text = made?.text ?? ''
      this.#chosen.set(stub, ranges)
      this.#texts.set(stub, text)
    }
    return ranges === null ? undefined : { ranges, text }
  }

  #make(
    edit: EditReport,
    reference: string,
    history: History,
    known: LineRun[] | undefined,
  ): Shown | undefined {
    const facts = history.factsOf(edit)
    if (facts?.origin !== 'read' || facts.isError || facts.ephemeral) return undefined
    const original = history.original(reference)
    const read = original && linesOfRead(original, facts)
    if (read === undefined || original === undefined) return undefined
    if (known !== undefined) return shownOf(read, known)
    const room = bytesOf(original.text) / 2 - bytesOf(edit.text ?? '')
    for (let lines = this.#lines; lines >= LEAST_LINES; lines = Math.floor(lines * 0.7)) {
      const shown = shownOf(read, this.#choose(read, history.conversation, lines))
      if (bytesOf(shown.text) < room) return shown
    }
    return undefined
  }

  #choose(read: ReadLines, conversation: string, lines: number): LineRun[] {
    const sections = sectionsOfRead(read, this.#index)
    const isWhole = sections !== undefined && this.#index.lines(read.path)?.length === read.lines.length
    if (isWhole) return this.#index.digest(read.path, conversation, { lines }).ranges
    const content = read.lines.join('\n')
    const file = { path: read.path, content, ...(sections && { sections }) }
    return this.#index.digest(file, conversation, { lines }).ranges
  }
}

/**
 * Digests of the old reads of one conversation, as a last pass over its views.
 *
 * @throws {TrimtabError} `invalid_option`, `unsupported_state`.
 */
export function createReadDigests(index: FileIndex, options: ReadDigestsOptions = {}): ReadDigests {
  checkKeys(options, ['lines', 'saved'], 'createReadDigests')
  checkCount('lines', options.lines ?? 50)
  const { saved } = options
  if (saved !== undefined && (saved?.version !== SAVED_VERSION || !Array.isArray(saved.digests))) {
    const message = `saved must be what toJSON() of version ${SAVED_VERSION} gave`
    throw new TrimtabError('unsupported_state', message, { argument: 'saved' })
  }
  return new ReadDigests(index, options)
}

/** The reference at the end of a stub of the engine's. */
const REFERENCE = /\brecall ([0-9a-f]{8})\]$/

function shownOf({ lines, numbers }: ReadLines, ranges: LineRun[]): Shown {
  const head = `Lines of it that matter now, ${lengthOf(ranges)} of ${lines.length}:`
  const body = numberedLines(lines, ranges, (place) => numbers[place - 1] as number)
  return { ranges, text: `${head}\n${body}` }
}

/** The engine's estimate. */
function tokensOf(text: string): number {
  return Math.ceil(bytesOf(text) / 3.5)
}

/** A view's history, read when something new is to be decided. */
class History {
  readonly #view: PlannedView
  #facts: Map<string, BlockFacts> | undefined
  #conversation: string | undefined

  constructor(view: PlannedView) {
    this.#view = view
  }

  get conversation(): string {
    this.#conversation ??= conversationText(this.#view.messages(), this.#view.format)
    return this.#conversation
  }

  factsOf({ message, block }: EditReport): BlockFacts | undefined {
    this.#facts ??= new Map(this.#view.blocks().map((facts) => [`${facts.message} ${facts.block}`, facts]))
    return this.#facts.get(`${message} ${block}`)
  }

  /** `undefined` where the engine would not give it back: then it is no digest's either. */
  original(reference: string): Original | undefined {
    try {
      return this.#view.original(reference)
    } catch (error) {
      if (error instanceof TrimtabError && error.code === 'not_recallable') return undefined
      throw error
    }
  }
}
