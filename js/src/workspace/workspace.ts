import {
  called,
  check,
  checkFileText,
  checkOptions,
  NAMED,
  refuse,
  refuseWith,
  SWITCH,
} from '../base/check.js'
import { isBytes } from '../base/content.js'
import { digestOf } from '../base/digest.js'
import { TrimtabError } from '../base/error.js'
import { diskFiles } from './disk-files.js'
import { checkFileSystem, type FileSystem } from './file-system.js'
import { type FileInfo, type Files, pathOf } from './files.js'
import { InTurn } from './in-turn.js'
import { memoryFiles } from './memory-files.js'
import { type DirectoryHandle, opfsFiles } from './opfs-files.js'
import { checkPortable, type Names, parsePath, spellings } from './paths.js'
import { Reads, type SavedReads } from './reads.js'

/** A file as {@link Workspace.readFile} read it. */
export interface ReadFile {
  /** As the file system spells it. */
  path: string
  bytes: Uint8Array
  /** SHA-256 of the bytes; give it back as `expectedDigest` to write only over this content. */
  digest: string
}

/** Options of {@link Workspace.writeFile}. */
export interface WriteOptions {
  /** Write only if the file has this digest now; `null`: only if the file does not exist. */
  expectedDigest?: string | null
}

/** What {@link Workspace.writeFile} wrote. */
export interface WrittenFile {
  path: string
  /** How many were written. */
  bytes: number
  digest: string
  /** Whether there was no file before. */
  created: boolean
  /** Says that a file was overwritten which was not read, or changed since; for the model to see. */
  warning?: string
}

/** Files below one root. All paths are relative to it, with `/`; what would leave it is refused. */
export interface Workspace {
  /** Which files were read. Save it with the session: `reads: workspace.reads.toJSON()`. */
  readonly reads: Reads
  /**
   * Reads a file as a whole. On a disk one of more than 512 MB is refused, `file_failed`, before anything of it is read.
   *
   * @param options With `track: false` the file does not count as read: a look that the model is not shown.
   * @throws {TrimtabError} `invalid_path`, `not_found`, `not_a_file`, `file_failed`.
   */
  readFile(path: string, options?: { track?: boolean }): Promise<ReadFile>
  /**
   * Makes or replaces a file as a whole, and the folders above it. Text is written as UTF-8.
   *
   * @throws {TrimtabError} `conflict` when the file is not what `expectedDigest` says; as `readFile`. The file is then
   * as it was, save where the error's `isWritten` is `true`: the new content is in place, and the message says what
   * failed after that.
   */
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<WrittenFile>
  /** What is at the path; `undefined` where there is nothing. */
  stat(path: string): Promise<FileInfo | undefined>
  /** What is in a folder, by path; the root when none is named. Not what is in its folders. */
  list(path?: string): Promise<FileInfo[]>
  /** Removes a file. Options and errors as for `writeFile`. */
  remove(path: string, options?: { expectedDigest?: string }): Promise<void>
}

/** Where the files are, one of three, and what was read in an earlier run. */
export type WorkspaceOptions = { reads?: SavedReads | undefined } & (
  | {
      /** The module `node:fs/promises`. */
      fs: FileSystem
      /** The folder that nothing may leave. */
      root: string
    }
  | {
      /** Files in memory, to start with: path to content. */
      memory: Readonly<Record<string, string | Uint8Array>>
    }
  | {
      /** A folder of the browser's own file system: `await navigator.storage.getDirectory()`. */
      opfs: DirectoryHandle
    }
)

/**
 * Files for an agent's tools: one interface over Node's file system, memory and the browser's own file system.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  options = checkOptions(options ?? {}, OPTIONS, 'createWorkspace')
  return new FileWorkspace(filesOf(options), new Reads(options.reads))
}

const OPTIONS = { fs: null, root: null, memory: null, opfs: null, reads: null }

/** The options as a caller without types may give them. */
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

  async readFile(path: string, options: { track?: boolean } = {}): Promise<ReadFile> {
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
    const { names } = await this.#find(path)
    if (names.length === 0) notAFile(path)
    // In turn: two writes that expect the same content must not both find it.
    return this.#turns.run(pathOf(names), async () => {
      const info = await this.#files.stat(names)
      if (info === undefined) checkPortable(names.slice(await this.#depth(names)))
      const old = info === undefined ? undefined : await this.#digestAt(names, info)
      checkExpected(pathOf(names), expectedDigest, old)
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
    const { names, info } = await this.#find(path)
    if (info === undefined) notFound(path)
    if (info.kind !== 'folder') refuseWith('path', `${path} is not a folder`, 'not_a_file')
    const found = await this.#files.list(names)
    return found.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async remove(path: string, options: { expectedDigest?: string } = {}): Promise<void> {
    options = checkOptions(options, { expectedDigest: null }, 'remove')
    const { names, info } = await this.#existing(path)
    await this.#turns.run(info.path, async () => {
      if (options.expectedDigest !== undefined) {
        checkExpected(info.path, options.expectedDigest, await this.#digestAt(names, info))
      }
      await this.#files.remove(names)
      this.reads.delete(info.path)
    })
  }

  /** Where a path leads: the first spelling of it that is there, or the one to make it under. */
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

  /** How many folders on the way to a file are there. */
  async #depth(names: Names): Promise<number> {
    let depth = names.length - 1
    while (depth > 0 && (await this.#files.stat(names.slice(0, depth))) === undefined) depth--
    return depth
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

function warningOf(path: string, wasRead: boolean): string {
  const what = wasRead ? 'changed since it was last read' : 'was not read before'
  return `Warning: ${path} ${what} and has been overwritten. To change part of a file use ${EDITORS}.`
}

function checkExpected(path: string, expected: string | null | undefined, found: string | undefined): void {
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
