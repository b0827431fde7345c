import { checkOptional } from '../base/check.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineSection } from '../outline/types.js'
import { INDEX, indexRead, type NotIndexed, type ReadIndex } from '../reading/read-index.js'
import { normalPath } from '../timeline/paths.js'
import type { ToolResult } from './tool.js'

/** A file as a tool has it. */
export interface SeenFile {
  /** As the workspace spells it, else as the model does. */
  path: string
  content: string | Uint8Array
  /** Of bytes that do not say it themselves. */
  encoding?: TextEncoding | undefined
  /** Where the workspace says it: a file that is as it was is not indexed again. */
  digest?: string | undefined
  sections?: readonly OutlineSection[] | undefined
}

/** Digests of what an index was given, for all tools that share it. */
const given = new WeakMap<ReadIndex, Map<string, string>>()

/** Keeps a host's index at what the tools saw of files. Without an index it does nothing. */
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

  /** Files that were read or written; those that are not in the index now, and why. */
  async saw(files: readonly SeenFile[]): Promise<NotIndexed[]> {
    const refused: NotIndexed[] = []
    for (const file of files) {
      const problem = await this.#add(file)
      if (problem !== undefined) refused.push(problem)
    }
    return refused
  }

  /** A file that an edit changed. What was never read whole, or only for a turn, does not come in by this way. */
  async changed(file: SeenFile): Promise<NotIndexed[]> {
    return this.#has(file.path) ? this.saw([file]) : []
  }

  /** A file that is not there any more. */
  async gone(path: string): Promise<void> {
    const known = normalPath(path)
    this.#digests.delete(known)
    try {
      if (this.#has(known)) await this.#index?.remove(known)
    } catch {
      // There is nobody to tell: the tool answers that there is no such file.
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

/** A tool's answer with what the index did not take, where there is such. */
export const withNotIndexed = (result: ToolResult, notIndexed: NotIndexed[]): ToolResult =>
  notIndexed.length === 0 ? result : { ...result, notIndexed }
