import { readable, refuseWith } from '../base/check.js'

/** Methods used of an open file of `node:fs/promises`. */
export interface OpenFile {
  write(bytes: Uint8Array, offset: number, length: number, position: null): Promise<{ bytesWritten: number }>
  read(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>
  stat(): Promise<FileStat>
  chmod(mode: number): Promise<void>
  sync(): Promise<void>
  datasync(): Promise<void>
  close(): Promise<void>
}

export interface FileStat {
  readonly size: number
  readonly mode: number
  /** Number of the device. */
  readonly dev: number
  /** Inode number: identifies the file on its device, whatever its name. */
  readonly ino: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/**
 * Functions used of `node:fs/promises`. The host passes the module: the package then imports nothing from Node, works
 * in any bundler, and a test can pass a file system that fails.
 */
export interface FileSystem {
  readonly constants?: { readonly O_NONBLOCK?: number }
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>
  lstat(path: string): Promise<FileStat>
  stat(path: string): Promise<FileStat>
  realpath(path: string): Promise<string>
  readdir(path: string): Promise<string[]>
  mkdir(path: string): Promise<unknown>
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
}

/**
 * Rejects anything but the module: most often `node:fs`, whose functions take callbacks and would fail one by one.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function checkFileSystem(fs: unknown, name: string): void {
  const module = readable('fs', () => {
    const functions = Object(fs) as Record<string, unknown>
    const isKnown = typeof functions.open === 'function' && typeof functions.rename === 'function'
    return { isKnown, isSync: 'readSync' in functions }
  })
  if (module.isKnown && !module.isSync) return
  const found = module.isSync ? ', not node:fs' : ''
  const message = `${name} needs fs, the module node:fs/promises${found}: import * as fs from 'node:fs/promises'`
  refuseWith('fs', message)
}

/** Returns Node's code of an error: `ENOENT`, `ENOSPC`, ... */
export function failureOf(error: unknown): string {
  try {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

/**
 * Returns the result of a file operation, or `undefined` if there is no such file.
 *
 * @param missing Error codes that mean so. The default includes those of a path that leads through a file, and of a
 *   name that is too long for the file system, as the decomposed spelling of one can be.
 */
export async function ifThere<T>(
  question: Promise<T>,
  missing: readonly string[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'],
): Promise<T | undefined> {
  try {
    return await question
  } catch (error) {
    if (missing.includes(failureOf(error))) return undefined
    throw error
  }
}

/**
 * Opens a file for reading without waiting for a pipe's writer. The kind of the file is checked on the open file, which
 * cannot be replaced any more.
 */
export const openToRead = (fs: FileSystem, path: string): Promise<OpenFile> =>
  // `O_NONBLOCK` does not exist on Windows, where no pipe has a path.
  fs.open(path, fs.constants?.O_NONBLOCK ?? 'r')

/**
 * Opens a file, runs `work` with it and closes it. A failed close is not an error: data that must be on disk was synced
 * before.
 */
export async function withFile<T>(
  opening: Promise<OpenFile>,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await opening
  try {
    return await work(file)
  } finally {
    await file.close().catch(() => undefined)
  }
}

/** Reads `length` bytes of an open file from `from`, or up to its end. */
export async function readFrom(file: OpenFile, from: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, from + done)
    if (bytesRead === 0) return bytes.subarray(0, done)
    done += bytesRead
  }
  return bytes
}

/** Error codes of systems that cannot sync a folder. */
const NO_FOLDER_SYNC = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM']

/** Syncs a folder to disk: without it, a power failure may undo a rename. */
export async function syncFolder(fs: FileSystem, folder: string): Promise<void> {
  try {
    await withFile(fs.open(folder, 'r'), (handle) => handle.sync())
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(failureOf(error))) throw error
  }
}
