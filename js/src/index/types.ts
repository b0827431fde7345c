/** A part of a file that has a name: what `outline` of `trimtab/outline` gives, or any other source. */
export interface IndexSection {
  /** What it defines or is called. */
  name?: string
  /** What it is; headings, keys and the like define nothing that other files could refer to. */
  kind?: string
  /** Its first line, from 1. */
  startLine: number
  /** Its last line. */
  endLine: number
}

/** A file for the index. */
export interface IndexFile {
  /** By which it is known: the index has one file for each. */
  path: string
  /** Text, or bytes of UTF-8 (or UTF-16 with a byte order mark). */
  content: string | Uint8Array
  /** Its sections, in any order. Without them definitions are known by their keywords. */
  sections?: readonly IndexSection[]
  /** Whether the content is to leave the conversation after its turn: it is then not added. */
  ephemeral?: boolean
}

/** Numbers that stand for what a text means: one list for each text, all of the same length. */
export type Embed = (texts: string[]) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>

/** Options of `createIndex`. */
export interface IndexOptions {
  /** The host's embedding model, for {@link FileIndex.queryWithVectors}. */
  embed?: Embed
}

/** How much a query may return: in lines, or in tokens (estimates: UTF-8 bytes / 3.5). */
export type IndexBudget = { lines: number } | { tokens: number }

/** Options of {@link FileIndex.query}. */
export interface QueryOptions {
  /** How much to return at most. Default 200 lines. */
  budget?: IndexBudget
  /** What the conversation is about: definitions that its passages refer to come up, its words do not. */
  conversation?: string
  /** Whether definitions that the passages found refer to come up. Default true. */
  symbols?: boolean
}

/** Lines of a file that were found. */
export interface IndexHit {
  path: string
  /** The first line, from 1. */
  startLine: number
  /** The last line. */
  endLine: number
  /** How well they fit; comparable within one answer. */
  score: number
  /** The innermost section that the first line stands in, where sections are known. */
  name: string | null
  /** The lines, as they are. */
  text: string
}

/** Options of {@link FileIndex.digest}. */
export interface DigestOptions {
  /** How many lines to show at most; lines of over 200 bytes count more than once. Default 50. */
  lines?: number
}

/** A file shortened to the lines that matter now. */
export interface Digest {
  path: string
  /** The lines with their numbers, below two lines of header; `...` stands for those left out. */
  text: string
  /** The lines shown, in the order of the file. */
  ranges: { startLine: number; endLine: number }[]
  totalLines: number
  shownLines: number
}
