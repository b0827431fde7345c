import { checkOptional } from '../base/check.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineSection } from '../outline/types.js'
import { INDEX, indexRead, type NotIndexed, type ReadIndex } from '../reading/read-index.js'
import { normalPath } from '../timeline/normal-path.js'
import type { ToolResult } from './tool.js'

/** A file as a tool saw it. */
export interface SeenFile {
  /** Path as the workspace spells it, else as the model does. */
  path: string
  content: string | Uint8Array
  /** Encoding of bytes without a byte order mark. */
  encoding?: TextEncoding | undefined
  /** Digest, if the workspace provides it: an unchanged file is not indexed again. */
  digest?: string | undefined
  sections?: readonly OutlineSection[] | undefined
}

/** Digests of the files passed to each index, shared by all tools that use it. */
const given = new WeakMap<ReadIndex, Map<string, string>>()

/** Keeps a host's index in step with the files that the tools see. Does nothing without an index. */
export class Indexer {
  readonly #index: ReadIndex | undefined
  readonly #digests: Map<string, string>

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(index: ReadIndex | undefined) {
    checkOptional('index', index, INDEX)
    this.#index = index
    this.#digests = (index && given.get(index)) ?? new Map()
    if (index !== undefined) given.set(index, this.#digests)
  }

  /** Adds files that were read or written; returns those that could not be indexed, and why. */
  async saw(files: readonly SeenFile[]): Promise<NotIndexed[]> {
    const refused: NotIndexed[] = []
    for (const file of files) {
      const problem = await this.#add(file)
      if (problem !== undefined) refused.push(problem)
    }
    return refused
  }

  /**
   * Updates a file changed by an edit. Files that are not in the index (never read whole, or read for one turn only)
   * are not added.
   */
  async changed(file: SeenFile): Promise<NotIndexed[]> {
    return this.#has(file.path) ? this.saw([file]) : []
  }

  /** Removes a file that no longer exists. */
  async gone(path: string): Promise<void> {
    const known = normalPath(path)
    this.#digests.delete(known)
    try {
      if (this.#has(known)) await this.#index?.remove(known)
    } catch {
      // Not reported: the tool already answers that the file does not exist.
    }
  }

  async #add({ path, content, encoding, digest, sections }: SeenFile): Promise<NotIndexed | undefined> {
    const index = this.#index
    if (index === undefined) return undefined
    const known = normalPath(path)
    const isKnown = digest !== undefined && this.#digests.get(known) === digest && this.#has(known)
    if (isKnown && sections === undefined) return undefined
    const problem = await indexRead(index, { path: known, content, encoding, sections })
    if (problem === undefined && digest !== undefined) this.#digests.set(known, digest)
    else this.#digests.delete(known)
    return problem
  }

  #has(path: string): boolean {
    try {
      return this.#index?.has(normalPath(path)) === true
    } catch {
      return false
    }
  }
}

/** Adds the files that could not be indexed to a tool's result, if there are any. */
export const withNotIndexed = (result: ToolResult, notIndexed: NotIndexed[]): ToolResult =>
  notIndexed.length === 0 ? result : { ...result, notIndexed }
