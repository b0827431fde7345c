import { COUNT, checkOptions, DATA, readable, refuse, refuseWith } from '../base/check.js'
import { utf8Length } from '../base/text.js'
import type { PassName } from '../generated/types.js'
import { LazyReport, type PlannedView } from '../projection/report.js'
import type { Projection } from '../projection/types.js'
import { retold } from '../projection/view-texts.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import { type CutResult, CutResults } from './cut-results.js'
import { type LineRun, lengthOf, numberedLines } from './digest-text.js'
import type { FileIndex } from './file-index.js'
import { linesOfRead, type ReadLines, sectionsOfRead } from './read-lines.js'

/** Options of `createReadDigests`. */
export interface ReadDigestsOptions {
  /** Maximum number of lines kept of an old read. Default 50. */
  lines?: number | undefined
  /** Saved state, as {@link ReadDigests.toJSON} returned it. */
  saved?: SavedDigests | undefined
}

/** Lines kept of each read, keyed by its stub, path and first line; `null` for a read without a digest. */
export interface SavedDigests {
  version: 1
  digests: [read: string, lines: [startLine: number, endLine: number][] | null][]
}

/** A read shown as a digest. */
export interface DigestedRead {
  /** Position of the message in the history. */
  message: number
  /** Position of the block in its message. */
  block: number
  path: string
  /** Lines shown, as positions in the read's output, from 1. */
  ranges: LineRun[]
  /** Estimated tokens of the stub and the digest. */
  tokens: number
}

/** A view in which old reads are shown as digests. */
export interface DigestedView<M> {
  messages: M[]
  digests: DigestedRead[]
  /** Estimated tokens of the view. */
  tokensAfter: number
}

/** Digest below the stub of a read. */
interface Shown {
  ranges: LineRun[]
  text: string
}

/**
 * Passes that clear by age or size. A part of such a read may still be useful; no part of a duplicate or superseded
 * read is.
 */
const PASSES: readonly PassName[] = ['age', 'clear']
/** A digest of fewer lines is not worth its tokens. */
const LEAST_LINES = 3
const SAVED_VERSION = 1

/**
 * Adds digests to the stubs of old reads: below each stub, the lines of the read relevant to the conversation at the
 * time it was cleared. The policy decides what is cleared, when, and what is protected; the reference in the stub still
 * recalls the whole read. Lines once chosen do not change.
 */
export class ReadDigests {
  readonly #index: FileIndex
  readonly #lines: number
  /** Chosen lines by read: the stub contains the original's checksum. */
  readonly #chosen = new Map<string, LineRun[] | null>()
  readonly #texts = new Map<string, string>()
  readonly #made = new Made()
  readonly #results = new CutResults()

  constructor(index: FileIndex, { lines = 50, saved }: ReadDigestsOptions = {}) {
    this.#index = index
    this.#lines = lines
    for (const [read, rows] of saved?.digests ?? []) {
      this.#chosen.set(read, rows?.map(([startLine, endLine]) => ({ startLine, endLine })) ?? null)
    }
  }

  /**
   * Returns the view with digests in place of the stubs of old reads.
   *
   * @param projection Result of `project`, or of a `Context`'s `project`.
   * @throws {TrimtabError} `invalid_option`.
   */
  apply<M extends object>(projection: Projection<M>): DigestedView<M> {
    const view = readable('projection', () => LazyReport.viewOf(projection?.report))
    if (view === undefined) {
      return refuse('projection', 'what project() or a Context made, as it is', projection)
    }
    const { edits } = projection.report
    const results = this.#results.of(view)
    let { tokensAfter } = projection.report
    const texts = new Texts()
    const digests: DigestedRead[] = []
    edits.forEach((edit, at) => {
      const stub = edit.text
      // Without a reference in its stub, a read cannot be recalled.
      if (stub === null || !REFERENCE.test(stub) || !PASSES.includes(edit.pass)) return
      const result = results(edit)
      if (result === undefined) return
      const shown = this.#shown(stub, result)
      if (shown === undefined) return
      const text = `${stub}\n${shown.text}`
      const tokens = estimateByBytes(text)
      const grown = tokensAfter + tokens - edit.tokensAfter
      // A view with a token limit must stay within it.
      const { maxTokens } = view.policy
      if (maxTokens !== null && grown > maxTokens) return
      tokensAfter = grown
      const { message, block } = edit
      texts.add(message, at, text)
      digests.push({ message, block, path: result.path, ranges: shown.ranges, tokens })
    })
    return { messages: this.#made.messages(view, projection.messages, texts), digests, tokensAfter }
  }

  /** Returns the chosen lines, to restore them after a restart. Contains no file content. */
  toJSON(): SavedDigests {
    const digests = [...this.#chosen].map(([read, ranges]): SavedDigests['digests'][number] => [
      read,
      ranges?.map(({ startLine, endLine }) => [startLine, endLine]) ?? null,
    ])
    return { version: SAVED_VERSION, digests }
  }

  #shown(stub: string, result: CutResult): Shown | undefined {
    // The same lines can occur in several places.
    const read = `${stub} ${result.path}:${result.startLine ?? 1}`
    let ranges = this.#chosen.get(read)
    let text = this.#texts.get(read)
    if (ranges === null) return undefined
    if (ranges === undefined || text === undefined) {
      const made = this.#make(stub, result, ranges)
      ranges = made?.ranges ?? null
      text = made?.text ?? ''
      this.#chosen.set(read, ranges)
      this.#texts.set(read, text)
    }
    return ranges === null ? undefined : { ranges, text }
  }

  #make(stub: string, result: CutResult, known: LineRun[] | undefined): Shown | undefined {
    const original = result.text()
    const read = linesOfRead(original, result)
    if (read === undefined) return undefined
    const isIn = ({ startLine, endLine }: LineRun) =>
      startLine >= 1 && startLine <= endLine && endLine <= read.lines.length
    if (known?.every(isIn)) return shownOf(read, known)
    const room = utf8Length(original) / 2 - utf8Length(stub)
    for (let lines = this.#lines; lines >= LEAST_LINES; lines = Math.floor(lines * 0.7)) {
      const shown = shownOf(read, this.#choose(read, result.conversation(), lines))
      if (utf8Length(shown.text) < room) return shown
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
 * Creates digests for the old reads of one conversation, as a last pass over its views.
 *
 * @throws {TrimtabError} `invalid_option`, `unsupported_state`.
 */
export function createReadDigests(index: FileIndex, options: ReadDigestsOptions = {}): ReadDigests {
  options = checkOptions(options, { lines: COUNT, saved: DATA }, 'createReadDigests')
  const { saved } = options
  if (saved !== undefined && (saved?.version !== SAVED_VERSION || !Array.isArray(saved.digests))) {
    const message = `saved must be what toJSON() of version ${SAVED_VERSION} gave`
    refuseWith('saved', message, 'unsupported_state')
  }
  return new ReadDigests(index, options)
}

/** New texts for edits of a view, by message. */
class Texts {
  readonly byMessage = new Map<number, Map<number, string>>()

  add(message: number, edit: number, text: string): void {
    const known = this.byMessage.get(message)
    if (known === undefined) this.byMessage.set(message, new Map([[edit, text]]))
    else known.set(edit, text)
  }
}

/** Messages with digests, each built once: the same object is returned while its texts do not change. */
class Made {
  /** Built message by the view's message. */
  readonly #byShown = new WeakMap<object, { texts: string; message: object }>()

  messages<M extends object>(view: PlannedView, shown: readonly M[], texts: Texts): M[] {
    const messages = shown.slice()
    const changes = [...texts.byMessage].map(([at, edits]) => {
      return { at, shown: shown[at] as M, texts: edits, key: [...edits.values()].join('\n') }
    })
    const isNew = (one: (typeof changes)[number]) => this.#byShown.get(one.shown)?.texts !== one.key
    const fresh = changes.filter(isNew)
    // All in one call, so that the view reads its edits once.
    const made = fresh.length === 0 ? [] : retold(view, fresh)
    for (const [i, { shown: before, key }] of fresh.entries())
      this.#byShown.set(before, { texts: key, message: made[i] as M })
    for (const { at, shown: before } of changes) messages[at] = this.#byShown.get(before)?.message as M
    return messages
  }
}

/** Reference at the end of an engine's stub. */
const REFERENCE = /\brecall [0-9a-f]{8}\]$/

function shownOf({ lines, numbers }: ReadLines, ranges: LineRun[]): Shown {
  const head = `Lines of it that matter now, ${lengthOf(ranges)} of ${lines.length}:`
  const body = numberedLines(lines, ranges, (place) => numbers[place - 1] as number)
  return { ranges, text: `${head}\n${body}` }
}
