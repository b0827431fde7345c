/// <reference lib="esnext.disposable" preserve="true" />
import {
  COUNT,
  called,
  check,
  checkOptions,
  checkText,
  DATA,
  FUNCTION,
  OBJECT,
  refuseWith,
  SWITCH,
  TEXT,
} from '../base/check.js'
import { ENCODING, textOf, withoutMark } from '../base/content.js'
import { TrimtabError } from '../base/error.js'
import { linesOf } from '../base/lines.js'
import { wellFormed } from '../base/text.js'
import { EngineIndex, fileIndex } from '../engine/file-index.js'
import { HEAD_BYTES } from '../generated/protocol.js'
import type { TextEncoding } from '../generated/types.js'
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

/** A file of the index. The engine refers to it by number. */
interface Known {
  path: string
  text: string
  sections: readonly IndexSection[] | undefined
  packed: PackedSections
  /** The number that the engine gave it, once it has the file. */
  slot?: number
  /** One vector per passage; absent until they are first needed. */
  vectors?: Float32Array[]
}

/** A run of lines found in a file, before its text is extracted. */
interface Found extends LineRun {
  file: Known
  score: number
}

/** Maximum number of passages considered for a budget. */
const MOST_HITS = 256

/**
 * Search index over files that were read: finds the lines relevant to a text, and shortens a file to the relevant
 * lines.
 *
 * It keeps the contents passed to it, so that results contain text. The word statistics are in wasm memory, and are
 * rebuilt if wasm is restarted.
 */
export class FileIndex implements Disposable {
  readonly #known = new Map<string, Known>()
  readonly #embed: Embed | undefined
  /** Files by the number that the engine gave them. */
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

  /** Number of files. */
  get size(): number {
    return this.#known.size
  }

  /** Paths of the files, in the order in which they were added. */
  paths(): string[] {
    return [...this.#known.keys()]
  }

  has(path: string): boolean {
    return this.#known.has(path)
  }

  /** Returns the content of a file as the index has it. */
  content(path: string): string | undefined {
    return this.#known.get(path)?.text
  }

  /** Returns the lines of a file without their line ends. */
  lines(path: string): string[] | undefined {
    const known = this.#known.get(path)
    return known && linesOf(known.text)
  }

  /** Returns the sections that the file was added with. */
  sections(path: string): readonly IndexSection[] | undefined {
    return this.#known.get(path)?.sections
  }

  /**
   * Adds a file, or replaces the one with the same path. If the content is the same and no sections are given, the old
   * ones are kept. Ephemeral content is not added, and the file's earlier version stays.
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

  /** Removes a file and all data about it; returns `false` if the index does not have it. */
  remove(path: string): boolean {
    checkText('path', path)
    const known = this.#known.get(path)
    if (known === undefined) return false
    this.#enter((index) => index.remove(path))
    // Drops the reference, so that the content can be freed.
    this.#bySlot[known.slot as number] = undefined
    return this.#known.delete(path)
  }

  /**
   * Finds the lines relevant to a text, best first: ranked by its words (BM25; identifiers are split into words), and
   * by the definitions that the found lines refer to (PageRank over definitions and references).
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  query(text: string, options: QueryOptions = {}): IndexHit[] {
    options = checkOptions(options, QUERY, 'query')
    const room = new Room(options.budget)
    return withinRoom(this.#byWords(text, options), room)
  }

  /**
   * Like {@link query}, and also ranks by meaning with the vectors of the index's `embed`; the two rankings are fused.
   * Passages without a vector are embedded first, which takes as long as the host's model takes.
   *
   * @throws {TrimtabError} `invalid_option`; errors of `embed`.
   */
  async queryWithVectors(text: string, options: QueryOptions = {}): Promise<IndexHit[]> {
    options = checkOptions(options, QUERY, 'query')
    const room = new Room(options.budget)
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
   * Shortens a file to the lines most relevant to the current conversation, plus the first lines of its definitions.
   * Line numbers are those of the file, and lines are unchanged.
   *
   * @param file Path of a file in the index; or a file that may be outside it, ranked with the index's word statistics.
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

  /** Frees the engine's memory. Every later call throws. */
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

  /** Returns the engine's index; fills it again if wasm was restarted. */
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
    file.slot = index.add(path, text, packed.names, packed.lines)
    this.#bySlot[file.slot] = file
  }
}

/**
 * Creates an empty index over files.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createIndex(options: IndexOptions = {}): FileIndex {
  return new FileIndex(options)
}

const binaryKindOf = (content: Uint8Array, encoding: TextEncoding | '' = '') =>
  fileIndex.enter(() => EngineIndex.binaryKind(content.subarray(0, HEAD_BYTES), encoding))

const FILE = { path: null, content: null, encoding: null, sections: null, ephemeral: SWITCH }

function knownOf(file: IndexFile): Known & { ephemeral: boolean | undefined } {
  check('file', file, called(OBJECT, '{path, content}'))
  const { path, content, encoding, sections, ephemeral } = checkOptions(file, FILE, 'add')
  checkText('path', path)
  if (encoding !== undefined) check('encoding', encoding, ENCODING)
  const text = withoutMark(textOf(content, encoding))
  const kind = typeof content === 'string' ? undefined : binaryKindOf(content, encoding)
  if (kind !== undefined)
    refuseWith('content', `${wellFormed(path)} is binary (${kind}): an index holds text only`)
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

const QUERY = { budget: DATA, conversation: TEXT, symbols: SWITCH }

/** Keeps what fits the budget, best first; skips a passage that is too large for the rest. */
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
