/// <reference lib="esnext.disposable" preserve="true" />
import {
  COUNT,
  called,
  check,
  checkOptions,
  checkText,
  FUNCTION,
  OBJECT,
  readable,
  refuseWith,
  SWITCH,
  TEXT,
} from '../base/check.js'
import { textOf } from '../base/content.js'
import { TrimtabError } from '../base/error.js'
import { linesOf } from '../base/lines.js'
import { EngineIndex, fileIndex } from '../engine/file-index.js'
import { Room } from './budget.js'
import { digestOf, type LineRun, runsFrom } from './digest-text.js'
import { type PackedSections, packSections, sectionAt } from './sections.js'
import type {
  Digest,
  DigestOptions,
  Embed,
  IndexFile,
  IndexHit,
  IndexOptions,
  IndexSection,
  QueryOptions,
} from './types.js'
import { fused, product, vectorsOf } from './vectors.js'

/** A file of the index. The engine has only numbers of it. */
interface Known {
  path: string
  text: string
  sections: readonly IndexSection[] | undefined
  packed: PackedSections
  /** The vector of each passage, once they were asked for. */
  vectors?: Float32Array[]
}

/** Lines of a file, before they are cut out of it. */
interface Found extends LineRun {
  file: Known
  score: number
}

/** How many passages are looked at for a budget. */
const MOST_HITS = 256

/**
 * An index over files that were read: finds the lines that a text is about, and shortens a file to those that matter.
 *
 * It holds the contents it was given, so that its answers hold text; what it knows of their words is in wasm, and is
 * worked out again should wasm fail.
 */
export class FileIndex implements Disposable {
  readonly #known = new Map<string, Known>()
  readonly #embed: Embed | undefined
  /** Files by the engine's numbers. */
  #bySlot: (Known | undefined)[] = []
  #engine: EngineIndex | undefined
  #generation = -1
  #disposed = false

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(options: IndexOptions = {}) {
    options = checkOptions(
      options,
      { embed: called(FUNCTION, 'a function from texts to vectors') },
      'createIndex',
    )
    this.#embed = options.embed
  }

  /** How many files there are. */
  get size(): number {
    return this.#known.size
  }

  /** The files' paths, in the order in which they came. */
  paths(): string[] {
    return [...this.#known.keys()]
  }

  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** The content of a file, as the index has it. */
  content(path: string): string | undefined {
    return this.#known.get(path)?.text
  }

  /** The lines of a file without what ends them. */
  lines(path: string): string[] | undefined {
    const known = this.#known.get(path)
    return known && linesOf(known.text)
  }

  /** The sections that a file was added with. */
  sections(path: string): readonly IndexSection[] | undefined {
    return this.#known.get(path)?.sections
  }

  /**
   * Adds a file, or what became of it: one with the same path gives way. Sections stay while the content is the same, and no
   * others are given. Ephemeral content is not added, and leaves what was known of the file before.
   *
   * @returns Whether the index changed.
   * @throws {TrimtabError} `invalid_option`.
   */
  add(file: IndexFile): boolean {
    const { ephemeral, ...added } = knownOf(file)
    if (ephemeral === true) return false
    const before = this.#known.get(added.path)
    if (before !== undefined && isSame(before, added, file.sections === undefined)) return false
    this.#enter((index) => this.#insert(index, added))
    this.#known.set(added.path, added)
    return true
  }

  /** Takes a file out, with everything that was known of it; `false` where there is none. */
  remove(path: string): boolean {
    checkText('path', path)
    const known = this.#known.get(path)
    if (known === undefined) return false
    this.#enter((index) => index.remove(path))
    // Nothing may keep the content.
    this.#bySlot[this.#bySlot.indexOf(known)] = undefined
    return this.#known.delete(path)
  }

  /**
   * The lines that a text is about, the best first: by its words (BM25, identifiers split into theirs), and by what the
   * lines found refer to (PageRank over definitions and references).
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  query(text: string, options: QueryOptions = {}): IndexHit[] {
    const room = roomOf(options)
    return withinRoom(this.#byWords(text, options), room)
  }

  /**
   * As {@link query}, and by what the text means, as the `embed` of the index has it; the two rankings are fused. Passages
   * that have no vector yet get theirs first, which takes the host's model as long as it takes.
   *
   * @throws {TrimtabError} `invalid_option`; what `embed` throws.
   */
  async queryWithVectors(text: string, options: QueryOptions = {}): Promise<IndexHit[]> {
    const room = roomOf(options)
    checkText('text', text)
    if (this.#embed === undefined) {
      return refuseWith('embed', 'embed is needed for vectors: createIndex({ embed })')
    }
    const [wanted] = await vectorsOf([text], this.#embed)
    const byMeaning = await this.#byMeaning(wanted as Float32Array, this.#embed)
    const rankings = [this.#byWords(text, options), byMeaning]
    const all = fused(rankings, ({ file, startLine }) => `${startLine}:${file.path}`)
    return withinRoom(
      all.map(({ item, score }) => ({ ...item, score })),
      room,
    )
  }

  /**
   * A file shortened to the lines that say most about what the conversation is about now, with the first lines of what it
   * defines. The numbers are those of the file's lines, and the lines are as they are there.
   *
   * @param file The path of a file in the index; or a file that need not be there, judged by the index's words.
   * @throws {TrimtabError} `invalid_option`; `not_found` for a path that the index does not have.
   */
  digest(file: string | IndexFile, conversation: string, options: DigestOptions = {}): Digest {
    options = checkOptions(options, { lines: COUNT }, 'digest')
    const { lines = 50 } = options
    checkText('conversation', conversation)
    const { path, text, packed } = typeof file === 'string' ? this.#find(file) : knownOf(file)
    const runs = this.#enter((index) =>
      index.digest(path, text, packed.names, packed.lines, conversation, lines),
    )
    return digestOf(path, linesOf(text), runsFrom(runs))
  }

  /** Frees the engine's memory. Any later call is an error. */
  [Symbol.dispose](): void {
    if (this.#engine !== undefined && this.#generation === fileIndex.generation) this.#engine.free()
    this.#engine = undefined
    this.#known.clear()
    this.#bySlot = []
    this.#disposed = true
  }

  #find(path: string): Known {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const message = `the index has no file ${JSON.stringify(path)}: add it, or pass {path, content}`
    return refuseWith('path', message, 'not_found')
  }

  #byWords(text: string, { conversation = '', symbols = true }: QueryOptions): Found[] {
    checkText('text', text)
    checkText('conversation', conversation)
    const numbers = this.#enter((index) => index.query(text, conversation, symbols, MOST_HITS))
    return Array.from({ length: numbers.length / 4 }, (_, at) => {
      const [slot, startLine, endLine, score] = numbers.subarray(4 * at) as unknown as [
        number,
        number,
        number,
        number,
      ]
      return { file: this.#bySlot[slot] as Known, startLine, endLine, score }
    })
  }

  async #byMeaning(wanted: Float32Array, embed: Embed): Promise<Found[]> {
    const found: Found[] = []
    for (const file of this.#known.values()) {
      const passages = runsFrom(this.#enter((index) => index.passages(file.path)))
      const lines = file.vectors === undefined ? linesOf(file.text) : []
      file.vectors ??= await vectorsOf(
        passages.map(({ startLine, endLine }) => lines.slice(startLine - 1, endLine).join('\n')),
        embed,
      )
      const { vectors } = file
      passages.forEach((run, at) => {
        found.push({ file, ...run, score: product(wanted, vectors[at] as Float32Array) })
      })
    }
    return found.sort((one, other) => other.score - one.score).slice(0, MOST_HITS)
  }

  #enter<T>(work: (index: EngineIndex) => T): T {
    if (this.#disposed) throw new TrimtabError('disposed', 'this index was disposed: make a new one')
    return fileIndex.enter(() => work(this.#running()))
  }

  /** The engine's index; filled again where wasm was started again. */
  #running(): EngineIndex {
    if (this.#engine !== undefined && this.#generation === fileIndex.generation) return this.#engine
    this.#generation = fileIndex.generation
    this.#bySlot = []
    const fresh = new EngineIndex()
    for (const file of this.#known.values()) this.#insert(fresh, file)
    this.#engine = fresh
    return fresh
  }

  #insert(index: EngineIndex, file: Known): void {
    const { path, text, packed } = file
    this.#bySlot[index.add(path, text, packed.names, packed.lines)] = file
  }
}

/**
 * An index over files: empty, to be filled with what is read.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createIndex(options: IndexOptions = {}): FileIndex {
  return new FileIndex(options)
}

/** As many bytes as the engine looks at. */
const HEAD_BYTES = 8000

const binaryKindOf = (content: Uint8Array) =>
  fileIndex.enter(() => EngineIndex.binaryKind(content.subarray(0, HEAD_BYTES)))

function knownOf(file: IndexFile): Known & { ephemeral: boolean | undefined } {
  check('file', file, called(OBJECT, '{path, content}'))
  const { path, content, sections, ephemeral } = readable('file', () => ({
    path: file.path,
    content: file.content,
    sections: file.sections,
    ephemeral: file.ephemeral,
  }))
  checkText('path', path)
  const text = textOf(content)
  const kind = typeof content === 'string' ? undefined : binaryKindOf(content)
  if (kind !== undefined) refuseWith('content', `${path} is binary (${kind}): an index holds text only`)
  return { path, text, sections, packed: packSections(sections), ephemeral }
}

function isSame(one: Known, other: Known, isOfAnySections: boolean): boolean {
  if (one.text !== other.text) return false
  if (isOfAnySections) return true
  const [lines, others] = [one.packed.lines, other.packed.lines]
  return (
    one.packed.names === other.packed.names &&
    lines.length === others.length &&
    lines.every((line, at) => line === others[at])
  )
}

function roomOf(options: QueryOptions): Room {
  options = checkOptions(options, { budget: null, conversation: TEXT, symbols: SWITCH }, 'query')
  return new Room(options.budget)
}

/** What fits, the best first; what is too large for the rest of the room is passed over. */
function withinRoom(found: readonly Found[], room: Room): IndexHit[] {
  const cut = new Map<Known, string[]>()
  return found.flatMap(({ file, startLine, endLine, score }) => {
    const text = () => {
      const lines = cut.get(file) ?? linesOf(file.text)
      cut.set(file, lines)
      return lines.slice(startLine - 1, endLine).join('\n')
    }
    if (!room.takes(endLine - startLine + 1, text)) return []
    const name = sectionAt(file.sections, startLine)
    return [{ path: file.path, startLine, endLine, score, name, text: text() }]
  })
}
