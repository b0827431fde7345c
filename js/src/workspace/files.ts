import type { Names } from './paths.js'

/** An entry at a path. */
export interface FileInfo {
  /** Path from the root, with `/` between names, as the file system spells it. */
  path: string
  kind: 'file' | 'folder' | 'other'
  /** Size in bytes; 0 for a folder. */
  size: number
}

/** An entry of a listed folder. */
export interface FolderEntry {
  info: FileInfo
  /**
   * Lists what is in a folder, without a search for its path from the root. @throws {TrimtabError} `conflict` if it was
   * replaced after it was listed itself.
   */
  list(): Promise<FolderEntry[]>
}

/**
 * File storage of a workspace: one implementation per kind of storage. Paths are parsed and resolved: names are those
 * that {@link Files.resolve} returned. Digests and reads are not handled here.
 */
export interface Files {
  /**
   * Returns the path as the storage spells it, with links followed. @throws {TrimtabError} `invalid_path` if it leads
   * outside.
   */
  resolve(names: Names): Promise<Names>
  /** Describes the entry at a resolved path; `undefined` if there is none. */
  stat(names: Names): Promise<FileInfo | undefined>
  read(names: Names): Promise<Uint8Array>
  /**
   * Creates or replaces a whole file, and its parent folders. With `mustBeNew`: @throws `conflict` if the file exists.
   */
  write(names: Names, bytes: Uint8Array, mustBeNew: boolean): Promise<void>
  /** Lists a folder, in any order. */
  list(names: Names): Promise<FolderEntry[]>
  remove(names: Names): Promise<void>
}

export const pathOf = (names: Names): string => names.join('/')
