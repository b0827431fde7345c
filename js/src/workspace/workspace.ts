import { atOnce, callback } from '../base/at-once.js'
import {
  called,
  check,
  checkFileText,
  checkOptions,
  FUNCTION,
  NAMED,
  refuse,
  refuseWith,
  SWITCH,
  TEXT,
} from '../base/check.js'
import { isBytes } from '../base/content.js'
import { digestOf } from '../base/digest.js'
import { TrimtabError } from '../base/error.js'
import { diskFiles } from './disk-files.js'
import { checkFileSystem, type FileSystem } from './file-system.js'
import { type FileInfo, type Files, type FolderEntry, pathOf } from './files.js'
import { InTurn } from './in-turn.js'
import { memoryFiles } from './memory-files.js'
import { type DirectoryHandle, opfsFiles } from './opfs-files.js'
import { checkListed, checkNamesFile, checkPortable, type Names, parsePath, spellings } from './paths.js'
import { Reads, type SavedReads } from './reads.js'
import { beforeWriting } from './write-failure.js'

/** Result of {@link Workspace.readFile}. */
export interface ReadFile {
  /** Path as the file system spells it. */
  path: string
  bytes: Uint8Array
  /** SHA-256 of the bytes. Pass it as `expectedDigest` to overwrite only this content. */
  digest: string
}

/** Options of {@link Workspace.writeFile}. */
export interface WriteOptions {
  /** Writes only if the file has this digest now; `null`: only if the file does not exist. */
  expectedDigest?: string | null | undefined
}

/** Result of {@link Workspace.writeFile}. */
export interface WrittenFile {
  path: string
  /** Number of bytes written. */
  bytes: number
  digest: string
  /** Whether the file is new. */
  created: boolean
  /** Warning for the model: an existing file was overwritten that was not read, or that changed since. */
  warning?: string
}

/** Options of {@link Workspace.walk}. */
export interface WalkOptions {
  /** Whether the content of a folder is yielded. Default: of every folder. */
  enters?: ((folder: FileInfo) => boolean) | undefined
  /** Called for a folder that cannot be listed; the walk then goes on after it. */
  onError?: ((folder: FileInfo, error: TrimtabError) => void) | undefined
}

/** Files below one root. All paths are relative to it, with `/`; a path that leaves it is rejected. */
export interface Workspace {
  /** Record of the files that were read. Save it with the session: `reads: workspace.reads.toJSON()`. */
  readonly reads: Reads
  /**
   * Reads a whole file. On disk, a file over 512 MB is rejected with `file_failed` before any of it is read.
   *
   * @param options With `track: false` the file does not count as read: for content that the model is not shown.
   * @throws {TrimtabError} `invalid_path`, `not_found`, `not_a_file`, `file_failed`.
   */
  readFile(path: string, options?: { track?: boolean | undefined }): Promise<ReadFile>
  /**
   * Creates or replaces a whole file, and its parent folders. Text is written as UTF-8.
   *
   * @throws {TrimtabError} `conflict` if the file does not match `expectedDigest`; as `readFile`. The error's
   * `isWritten` is `false` if the file is unchanged; `true` if the new content is in place, and the message says what
   * failed after that; absent if that is unknown.
   */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WrittenFile>
  /** Describes the entry at the path; `undefined` if there is none. */
  stat(path: string): Promise<FileInfo | undefined>
  /** Lists the entries of a folder by path, without those of its subfolders. Default: the root. */
  list(path?: string): Promise<FileInfo[]>
  /**
   * Yields everything below a folder (default: the root), sorted by path, each folder before its content. Links to folders
   * are not followed: they are listed as `other`.
   *
   * @throws {TrimtabError} As `list`, for the folder itself; for one in it unless `options.onError` is given.
   */
  walk(path?: string, options?: WalkOptions): AsyncGenerator<FileInfo>
  /** Removes a file. Options and errors as for `writeFile`. */
  remove(path: string, options?: { expectedDigest?: string | undefined }): Promise<void>
}

/** Storage of the files, one of three, and the reads of an earlier run. */
export type WorkspaceOptions = { reads?: SavedReads | undefined } & (
  | {
      /** The module `node:fs/promises`. */
      fs: FileSystem
      /** The root folder, which no path may leave. */
      root: string
    }
  | {
      /** Initial files in memory: path to content. */
      memory: Readonly<Record<string, string | Uint8Array>>
    }
  | {
      /** A folder of the browser's origin private file system: `await navigator.storage.getDirectory()`. */
      opfs: DirectoryHandle
    }
)

/**
 * Creates a workspace for an agent's tools: one interface to Node's file system, to memory and to the browser's origin
 * private file system.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  options = checkOptions(options ?? {}, OPTIONS, 'createWorkspace')
  return new FileWorkspace(filesOf(options), new Reads(options.reads))
}

const OPTIONS = { fs: null, root: null, memory: null, opfs: null, reads: null }

/** Options as a caller without types may pass them. */
interface Given {
  fs?: FileSystem
  root?: string
  memory?: Readonly<Record<string, string | Uint8Array>>
  opfs?: DirectoryHandle
}

function filesOf(options: WorkspaceOptions): Files {
  const given: Given = options ?? {}
  const kinds = [given.fs, given.memory, given.opfs].filter((kind) => kind !== undefined)
  if (kinds.length !== 1)
    refuseWith('fs', 'createWorkspace needs exactly one of fs (with root), memory and opfs')
  if (given.memory !== undefined) return memoryFiles(given.memory, parsePath)
  if (given.opfs !== undefined) return opfsFiles(given.opfs)
  checkFileSystem(given.fs, 'createWorkspace')
  const root = check('root', given.root, called(NAMED, 'the folder that nothing may leave'))
  return diskFiles(given.fs as FileSystem, root)
}

const EDITORS = 'edit_file, append_to_file, prepend_to_file or update_section'
const encoder = new TextEncoder()

class FileWorkspace implements Workspace {
  readonly reads: Reads
  readonly #files: Files
  readonly #turns = new InTurn()

  constructor(files: Files, reads: Reads) {
    this.#files = files
    this.reads = reads
  }

  async readFile(path: string, options: { track?: boolean | undefined } = {}): Promise<ReadFile> {
    options = checkOptions(options, { track: SWITCH }, 'readFile')
    const { track = true } = options
    const { names, info } = await this.#existing(path)
    const bytes = await this.#files.read(names)
    const digest = await digestOf(bytes)
    if (track) this.reads.set(info.path, digest)
    return { path: info.path, bytes, digest }
  }

  async writeFile(
    path: string,
    content: string | Uint8Array,
    options: WriteOptions = {},
  ): Promise<WrittenFile> {
    options = checkOptions(options, { expectedDigest: null }, 'writeFile')
    const bytes = bytesOf(content)
    const { expectedDigest } = options
    const { names } = await beforeWriting(async () => {
      const found = await this.#find(path)
      checkNamesFile(path)
      return found
    })
    if (names.length === 0) notAFile(path)
    // Serialised: two writes that expect the same content must not both find it.
    return this.#turns.run(pathOf(names), async () => {
      const old = await beforeWriting(() => this.#digestToReplace(names, expectedDigest))
      try {
        await this.#files.write(names, bytes, expectedDigest === null)
      } catch (error) {
        if (error instanceof TrimtabError && error.isWritten) await this.#written(pathOf(names), bytes, old)
        throw error
      }
      return this.#written(pathOf(names), bytes, old)
    })
  }

  async stat(path: string): Promise<FileInfo | undefined> {
    return (await this.#find(path)).info
  }

  async list(path = '.'): Promise<FileInfo[]> {
    return (await this.#entries(path)).map(({ info }) => info).sort(byPath)
  }

  async *walk(path = '.', options: WalkOptions = {}): AsyncGenerator<FileInfo> {
    const { enters, onError } = checkOptions(
      options,
      { enters: FUNCTION, onError: callback('onError') },
      'walk',
    )
    // A stack, not recursion: a generator in a generator would pass each entry on as often as it is deep.
    const left = inOrder(await this.#entries(path))
    for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
      const { info, list } = entry
      yield info
      if (info.kind !== 'folder' || atOnce('enters', enters?.(info)) === false) continue
      try {
        checkListed(info.path)
        for (const inside of inOrder(await list())) left.push(inside)
      } catch (error) {
        if (onError === undefined || !(error instanceof TrimtabError)) throw error
        onError(info, error)
      }
    }
  }

  async #entries(path: string): Promise<FolderEntry[]> {
    const { names, info } = await this.#find(path)
    if (info === undefined) notFound(path)
    if (info.kind !== 'folder') refuseWith('path', `${path} is not a folder`, 'not_a_file')
    return this.#files.list(names)
  }

  async remove(path: string, options: { expectedDigest?: string | undefined } = {}): Promise<void> {
    options = checkOptions(options, { expectedDigest: null }, 'remove')
    const { expectedDigest } = options
    const { names, info } = await beforeWriting(() => this.#existing(path))
    await this.#turns.run(info.path, async () => {
      if (expectedDigest !== undefined)
        await beforeWriting(async () =>
          checkExpected(info.path, expectedDigest, await this.#digestAt(names, info)),
        )
      await this.#files.remove(names)
      this.reads.delete(info.path)
    })
  }

  /** Resolves a path: to its first spelling that exists, or to the path to create. */
  async #find(path: string): Promise<{ names: Names; info: FileInfo | undefined }> {
    const all = spellings(parsePath(path))
    for (const spelling of all) {
      const names = await this.#files.resolve(spelling)
      const info = await this.#files.stat(names)
      if (info !== undefined) return { names, info }
    }
    const composed = all.find((names) => pathOf(names) === pathOf(names).normalize('NFC')) as Names
    return { names: await this.#files.resolve(composed), info: undefined }
  }

  async #existing(path: string): Promise<{ names: Names; info: FileInfo }> {
    const { names, info } = await this.#find(path)
    if (info === undefined) notFound(path)
    if (info.kind !== 'file') notAFile(path)
    return { names, info }
  }

  /** Number of existing folders on the path to a file. */
  async #depth(names: Names): Promise<number> {
    let depth = names.length - 1
    while (depth > 0 && (await this.#files.stat(names.slice(0, depth))) === undefined) depth--
    return depth
  }

  /**
   * Returns the digest of the file to replace; `undefined` if it is to be created.
   *
   * @throws {TrimtabError} `conflict`; `not_a_file`; `invalid_path` for a new file whose name some systems reject.
   */
  async #digestToReplace(names: Names, expected: string | null | undefined): Promise<string | undefined> {
    const info = await this.#files.stat(names)
    if (info === undefined) checkPortable(names.slice(await this.#depth(names)))
    const old = info === undefined ? undefined : await this.#digestAt(names, info)
    checkExpected(pathOf(names), expected, old)
    return old
  }

  async #digestAt(names: Names, info: FileInfo): Promise<string> {
    if (info.kind !== 'file') notAFile(info.path)
    return digestOf(await this.#files.read(names))
  }

  async #written(path: string, bytes: Uint8Array, old: string | undefined): Promise<WrittenFile> {
    const known = this.reads.digest(path)
    const digest = await digestOf(bytes)
    this.reads.set(path, digest)
    const warning =
      old === undefined || old === known ? {} : { warning: warningOf(path, known !== undefined) }
    return { path, bytes: bytes.length, digest, created: old === undefined, ...warning }
  }
}

const byPath = (a: FileInfo, b: FileInfo) => (a.path < b.path ? -1 : 1)

/** Sorts entries so that the first by path is the last of the list. */
const inOrder = (entries: FolderEntry[]) => entries.sort((a, b) => byPath(b.info, a.info))

function warningOf(path: string, wasRead: boolean): string {
  const what = wasRead ? 'changed since it was last read' : 'was not read before'
  return `Warning: ${path} ${what} and has been overwritten. To change part of a file use ${EDITORS}.`
}

function checkExpected(path: string, expected: string | null | undefined, found: string | undefined): void {
  check('expectedDigest', expected ?? '', called(TEXT, 'a digest, or null for no file'))
  if (expected === undefined || expected === (found ?? null)) return
  const now = found === undefined ? 'there is no such file' : 'it holds something else'
  const wanted = expected === null ? 'no file' : `the content with digest ${expected}`
  const message = `${path} was to be changed from ${wanted}, but ${now}: read it again`
  refuseWith('expectedDigest', message, 'conflict')
}

function bytesOf(content: unknown): Uint8Array {
  if (isBytes(content)) return content
  if (typeof content !== 'string') return refuse('content', 'a string or a Uint8Array', content)
  return encoder.encode(checkFileText('content', content))
}

function notFound(path: string): never {
  refuseWith('path', `${path}: there is no such file`, 'not_found')
}

function notAFile(path: string): never {
  refuseWith('path', `${path} is not a file`, 'not_a_file')
}
