import type { TextEncoding } from '../generated/types.js'

export type { TextEncoding } from '../generated/types.js'

/** A named part of a file: from `outline` of `trimtab/outline`, or any other source. */
export interface IndexSection {
  /** Name of the definition or heading. */
  name?: string | undefined
  /** Kind of the section. Headings, keys and similar kinds define nothing that other files refer to. */
  kind?: string | undefined
  /** First line, from 1. */
  startLine: number
  /** Last line, inclusive. */
  endLine: number
}

/** A file to add to the index. */
export interface IndexFile {
  /** Key of the file: the index has one file per path. */
  path: string
  /** Text, or bytes in UTF-8 (or UTF-16 with a byte order mark). */
  content: string | Uint8Array
  /** Encoding of the bytes if they have no byte order mark. Default UTF-8. */
  encoding?: TextEncoding | undefined
  /** Sections in any order. Without them, definitions are recognised by keywords. */
  sections?: readonly IndexSection[] | undefined
  /** Whether the content leaves the conversation after its turn. It is then not added. */
  ephemeral?: boolean | undefined
}

/** Returns the embedding vectors of texts: one per text, all of the same length. */
export type Embed = (texts: string[]) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>

/** Options of `createIndex`. */
export interface IndexOptions {
  /** The host's embedding model, for {@link FileIndex.queryWithVectors}. */
  embed?: Embed | undefined
}

/** Maximum size of a query's result: in lines, or in tokens (estimates: UTF-8 bytes / 3.5). */
export type IndexBudget = { lines: number } | { tokens: number }

/** Options of {@link FileIndex.query}. */
export interface QueryOptions {
  /** Maximum size of the result. Default 200 lines. */
  budget?: IndexBudget | undefined
  /**
   * Text of the conversation: definitions that related passages refer to rank higher, passages with its words do not.
   */
  conversation?: string | undefined
  /** Whether definitions referred to by the found passages rank higher. Default true. */
  symbols?: boolean | undefined
}

/** Lines found in a file. */
export interface IndexHit {
  path: string
  /** First line, from 1. */
  startLine: number
  /** Last line, inclusive. */
  endLine: number
  /** Relevance; comparable only within one result. */
  score: number
  /** Name of the innermost section that contains the first line; `null` if sections are not known. */
  name: string | null
  /** The lines, unchanged. */
  text: string
}

/** Options of {@link FileIndex.digest}. */
export interface DigestOptions {
  /** Maximum number of lines; lines over 200 bytes count more than once. Default 50. */
  lines?: number | undefined
}

/** A file shortened to the lines relevant to the conversation. */
export interface Digest {
  path: string
  /** Numbered lines below a header of two lines; `...` for those left out. */
  text: string
  /** Lines shown, in the order of the file. */
  ranges: { startLine: number; endLine: number }[]
  totalLines: number
  shownLines: number
}
