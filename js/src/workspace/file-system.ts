import { refuseWith } from '../base/check.js'

/** What is used of an open file of `node:fs/promises`. */
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
  /** Which file it is, whatever its name. */
  readonly ino: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/**
 * What is used of `node:fs/promises`. The host passes the module: this package then imports nothing of Node's, runs
 * in any bundle, and a test can pass a file system that fails.
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
 * Refuses what is not the module: most often `node:fs`, whose functions want callbacks and would fail one by one.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function checkFileSystem(fs: unknown, name: string): void {
  const module = (fs ?? {}) as Record<string, unknown>
  if (typeof module.open === 'function' && typeof module.rename === 'function' && !('readSync' in module))
    return
  const found = 'readSync' in module ? ', not node:fs' : ''
  const message = `${name} needs fs, the module node:fs/promises${found}: import * as fs from 'node:fs/promises'`
  refuseWith('fs', message)
}

/** Node's name for what failed: `ENOENT`, `ENOSPC`, ... */
export function failureOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/**
 * The answer to a question about a file, or nothing where there is no file.
 *
 * @param missing The failures that say so. Default: those of a path that leads through a file, too.
 */
export async function ifThere<T>(
  question: Promise<T>,
  missing: readonly string[] = ['ENOENT', 'ENOTDIR'],
): Promise<T | undefined> {
  try {
    return await question
  } catch (error) {
    if (missing.includes(failureOf(error))) return undefined
    throw error
  }
}

/**
 * Opens a file to read it. A pipe is not waited for until somebody writes to it: whether it is a file is asked of what was
 * opened, which nobody can exchange any more.
 */
export const openToRead = (fs: FileSystem, path: string): Promise<OpenFile> =>
  // Not there on Windows, where no pipe has a path.
  fs.open(path, fs.constants?.O_NONBLOCK ?? 'r')

/**
 * Opens a file for some work and closes it. That closing failed is no failure of the work: what was to be on the disk
 * was brought there by a sync before.
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

/** Reads an open file from `from` to its end, or `length` bytes of it. */
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

/** What systems answer that cannot bring a folder to the disk by itself. */
const NO_FOLDER_SYNC = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOSYS', 'ENOTSUP', 'EPERM']

/** Brings the names in a folder to the disk: without it a rename may be undone by a power failure. */
export async function syncFolder(fs: FileSystem, folder: string): Promise<void> {
  try {
    await withFile(fs.open(folder, 'r'), (handle) => handle.sync())
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(failureOf(error))) throw error
  }
}
