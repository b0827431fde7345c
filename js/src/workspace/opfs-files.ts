import { sameBytes } from '../base/common-start.js'
import { TrimtabError } from '../base/error.js'
import { answered } from './atomic-write.js'
import { type FileInfo, type Files, type FolderEntry, pathOf } from './files.js'
import type { Names } from './paths.js'
import { guardOf, type WriteDetails, WriteFailure, writeDetails } from './write-failure.js'

/** Methods used of a folder of the browser's origin private file system (`navigator.storage.getDirectory()`). */
export interface DirectoryHandle {
  readonly kind: 'directory'
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<DirectoryHandle>
  getFileHandle(name: string, options?: { create?: boolean }): Promise<FileHandle>
  removeEntry(name: string): Promise<void>
  entries(): AsyncIterable<[string, { readonly kind: 'file' | 'directory' }]>
}

interface FileHandle {
  readonly kind: 'file'
  getFile(): Promise<Blob>
  createWritable(): Promise<WritableFile>
}

/** A typed array. (Before TypeScript 5.7 typed arrays had no type parameter, and a declaration must not name it.) */
interface Bytes {
  readonly buffer: ArrayBuffer
  readonly byteLength: number
  readonly byteOffset: number
}

interface WritableFile {
  write(data: Bytes): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

/** Error codes of the browser's errors. */
const CODES: Record<string, 'not_found' | 'not_a_file'> = {
  NotFoundError: 'not_found',
  TypeMismatchError: 'not_a_file',
}
const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')
const isMissing = (error: unknown) => nameOf(error) in CODES

/**
 * Stores files in the browser's origin private file system, which has no links. A write goes to a copy that replaces
 * the file when it is closed, as the browser guarantees.
 */
export function opfsFiles(root: DirectoryHandle): Files {
  const folderOf = async (names: Names, create = false) => {
    let folder = root
    for (const name of names) folder = await folder.getDirectoryHandle(name, { create })
    return folder
  }
  const fileAt = async (names: Names, create = false) =>
    (await folderOf(names.slice(0, -1), create)).getFileHandle(names.at(-1) as string, { create })
  const guard = guardOf(failed)
  const write = async (names: Names, bytes: Uint8Array) => {
    const isNew = (await stat(names)) === undefined
    try {
      await replace(await fileAt(names, true), bytes)
    } catch (error) {
      const isUnknown = error instanceof WriteFailure
      const isRemoved = isNew && (await removeIfEmpty(names))
      throw isUnknown && isRemoved ? error.cause : error
    }
  }
  /** The browser creates an empty file before it can be written to. Returns whether it was empty and is removed. */
  const removeIfEmpty = async (names: Names): Promise<boolean> => {
    try {
      if ((await stat(names))?.size !== 0) return false
      await (await folderOf(names.slice(0, -1))).removeEntry(names.at(-1) as string)
      return true
    } catch {
      return false
    }
  }
  const remove = async (names: Names) => {
    const folder = await folderOf(names.slice(0, -1))
    await folder.removeEntry(names.at(-1) as string).catch(async (error: unknown) => {
      if (isMissing(error)) throw error
      const isGone = await answered(async () => (await stat(names)) === undefined)
      if (isGone === false) throw error
      if (isGone === undefined)
        throw new WriteFailure(error, { isWritten: undefined, note: 'whether it was removed is not known' })
    })
  }
  const stat = async (names: Names): Promise<FileInfo | undefined> => {
    try {
      if (names.length === 0) return { path: '', kind: 'folder', size: 0 }
      return { path: pathOf(names), kind: 'file', size: (await (await fileAt(names)).getFile()).size }
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    const isFolder = await folderOf(names).then(
      () => true,
      (error) => {
        if (isMissing(error)) return false
        throw error
      },
    )
    return isFolder ? { path: pathOf(names), kind: 'folder', size: 0 } : undefined
  }
  const list = (names: Names, opening = () => folderOf(names)): Promise<FolderEntry[]> =>
    guard(names, 'cannot be listed', async () => {
      const found: FolderEntry[] = []
      const folder = await opening()
      for await (const [name, { kind }] of folder.entries()) {
        const path = [...names, name]
        const info = await infoIn(folder, path, kind)
        if (info !== undefined)
          found.push({ info, list: () => list(path, () => folder.getDirectoryHandle(name)) })
      }
      return found
    })

  return {
    resolve: async (names) => names,
    stat: (names) => guard(names, 'cannot be looked at', () => stat(names)),
    read: (names) => guard(names, 'cannot be read', async () => bytesOf(await fileAt(names))),
    write: (names, bytes) => guard(names, 'cannot be written', () => write(names, bytes), writeDetails),
    list: (names) => list(names),
    remove: (names) => guard(names, 'cannot be removed', () => remove(names), writeDetails),
  }
}

/** Describes an entry of a folder; `undefined` if it is gone. */
async function infoIn(
  folder: DirectoryHandle,
  names: Names,
  kind: 'file' | 'directory',
): Promise<FileInfo | undefined> {
  if (kind === 'directory') return { path: pathOf(names), kind: 'folder', size: 0 }
  try {
    const file = await (await folder.getFileHandle(names.at(-1) as string)).getFile()
    return { path: pathOf(names), kind: 'file', size: file.size }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function failed(names: Names, what: string, error: unknown, details: WriteDetails): TrimtabError {
  const path = pathOf(names)
  const { cause = error } = details
  const code = CODES[nameOf(cause)] ?? 'file_failed'
  const reason = error instanceof WriteFailure ? error.message : String(error)
  return new TrimtabError(code, `${path}: ${what}: ${reason}`, { argument: 'path', ...details })
}

/** @throws Errors of the browser; the old file is then unchanged. A {@link WriteFailure} if that is not known. */
async function replace(file: FileHandle, bytes: Uint8Array): Promise<void> {
  const writable = await file.createWritable()
  try {
    await writable.write(bytes as Bytes)
  } catch (error) {
    // A writable left open would lock the file: it could not be written or removed.
    await writable.abort().catch(() => undefined)
    throw error
  }
  try {
    await writable.close()
  } catch (error) {
    await writable.abort().catch(() => undefined)
    // Closing puts the content in place; perhaps only its answer was lost.
    const isThere = await answered(async () => sameBytes(await bytesOf(file), bytes))
    if (isThere) return
    if (isThere === false) throw error
    throw new WriteFailure(error, { isWritten: undefined, note: 'whether it was written is not known' })
  }
}

const bytesOf = async (file: FileHandle) => new Uint8Array(await (await file.getFile()).arrayBuffer())
