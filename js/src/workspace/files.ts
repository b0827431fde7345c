import type { Names } from './paths.js'

/** What stands at a path. */
export interface FileInfo {
  /** From the root, with `/` between folders, as the file system spells it. */
  path: string
  kind: 'file' | 'folder' | 'other'
  /** Bytes; 0 for a folder. */
  size: number
}

/**
 * Where a workspace keeps its files: one of these for each kind of storage. Paths were parsed and are resolved: the
 * names are those that {@link Files.resolve} gave. Nothing here knows of digests or reads.
 */
export interface Files {
  /** The path as the storage spells it, links followed. @throws {TrimtabError} `invalid_path` when it leads outside. */
  resolve(names: Names): Promise<Names>
  /** What is at a resolved path. */
  stat(names: Names): Promise<FileInfo | undefined>
  read(names: Names): Promise<Uint8Array>
  /** Makes or replaces a file as a whole, and the folders above it. `mustBeNew`: @throws `conflict` where one is. */
  write(names: Names, bytes: Uint8Array, mustBeNew: boolean): Promise<void>
  list(names: Names): Promise<FileInfo[]>
  remove(names: Names): Promise<void>
}

export const pathOf = (names: Names): string => names.join('/')

/** The end of a temporary file's name; such files are not listed. */
export const TEMPORARY = '.trimtab-tmp'
