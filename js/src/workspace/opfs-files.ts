import { TrimtabError } from '../base/error.js'
import { type FileInfo, type Files, pathOf } from './files.js'
import type { Names } from './paths.js'

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
  const guard = async <T>(names: Names, what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      const code = CODES[nameOf(cause)] ?? 'file_failed'
      throw new TrimtabError(code, `${pathOf(names)}: ${what}: ${String(cause)}`, { argument: 'path', cause })
    }
  }
  const write = async (names: Names, bytes: Uint8Array) => {
    const isNew = (await stat(names)) === undefined
    try {
      await replace(await fileAt(names, true), bytes)
    } catch (error) {
      // The browser creates an empty file before it can be written to.
      if (isNew)
        await (await folderOf(names.slice(0, -1))).removeEntry(names.at(-1) as string).catch(() => undefined)
      throw error
    }
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

  return {
    resolve: async (names) => names,
    stat: (names) => guard(names, 'cannot be looked at', () => stat(names)),
    read: (names) =>
      guard(names, 'cannot be read', async () => {
        return new Uint8Array(await (await (await fileAt(names)).getFile()).arrayBuffer())
      }),
    write: (names, bytes) => guard(names, 'cannot be written', () => write(names, bytes)),
    list: (names) =>
      guard(names, 'cannot be listed', async () => {
        const found: FileInfo[] = []
        for await (const [name] of (await folderOf(names)).entries()) {
          const info = await stat([...names, name])
          if (info !== undefined) found.push(info)
        }
        return found
      }),
    remove: (names) =>
      guard(names, 'cannot be removed', async () => {
        await (await folderOf(names.slice(0, -1))).removeEntry(names.at(-1) as string)
      }),
  }
}

async function replace(file: FileHandle, bytes: Uint8Array): Promise<void> {
  const writable = await file.createWritable()
  try {
    await writable.write(bytes as Bytes)
    await writable.close()
  } catch (error) {
    // A writable left open would lock the file: it could not be written or removed.
    await writable.abort().catch(() => undefined)
    throw error
  }
}
