import { TrimtabError } from '../../base/error.js'
import { writeAtomically } from '../../workspace/atomic-write.js'
import {
  checkFileSystem,
  type FileSystem,
  failureOf,
  ifThere,
  type OpenFile,
  readFrom,
} from '../../workspace/file-system.js'
import { randomName } from '../../workspace/random-name.js'
import { conflict, storeFailed, unreadable } from './errors.js'
import { entryLine, generationOf, HEADER_BYTES, hasWholeLine, headerLine, readLines } from './file-lines.js'
import { decodeId, encodeId } from './id.js'
import type { ReplaceOptions, SessionStore, Stored } from './store.js'

const ENDING = '.jsonl'
/** A file is written anew when more than this, and more than half of it, is replaced by a checkpoint. Bytes. */
const WORTH_REWRITING = 1 << 20
const ATTEMPTS = 3

export interface FileStoreOptions {
  /** The module `node:fs/promises`. */
  fs: SessionFileSystem
  /** Where the sessions are, one file each; made when it is missing. */
  folder: string
}

/** What is used of `node:fs/promises`. */
export interface SessionFileSystem extends Omit<FileSystem, 'open' | 'mkdir'> {
  readonly constants: { readonly O_RDWR: number; readonly O_APPEND: number }
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>
  mkdir(path: string, options?: { recursive: boolean }): Promise<unknown>
}

/**
 * Sessions as files of JSON lines that are only added to. Each entry is added by one call that the system carries out
 * as a whole, so that several processes on one machine can share a folder. On network file systems, which do not
 * promise that, one process at a time.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function fileStore(options: FileStoreOptions): SessionStore {
  const { fs, folder } = options ?? {}
  checkFileSystem(fs, 'fileStore')
  if (typeof folder !== 'string' || folder === '') {
    throw new TrimtabError('invalid_option', 'fileStore needs the folder to keep sessions in', {
      argument: 'folder',
    })
  }
  const fileOf = (id: string) => `${folder}/${encodeId(id)}${ENDING}`
  const guard = async <T>(id: string, what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw error instanceof TrimtabError ? error : storeFailed(id, what, error)
    }
  }

  async function read(id: string) {
    const file = await ifThere(fs.open(fileOf(id), 'r'))
    if (file === undefined) return undefined
    try {
      const bytes = await readFrom(file, 0, (await file.stat()).size)
      const generation = generationOf(bytes)
      if (generation === undefined) {
        throw unreadable(
          id,
          'its file is none of this store; migrateSession reads what older programs saved',
          1,
        )
      }
      const { end, ...content } = readLines(id, bytes)
      return { ...content, version: versionOf({ generation, size: end }) }
    } finally {
      await file.close()
    }
  }

  async function add(id: string, version: string, line: (covers: number) => Uint8Array): Promise<Stored> {
    const path = fileOf(id)
    const file = await ifThere(fs.open(path, fs.constants.O_RDWR | fs.constants.O_APPEND))
    if (file === undefined) throw conflict(id)
    try {
      return await addTo(fs, { id, path, file, seen: parseVersion(version), line })
    } finally {
      await file.close()
    }
  }

  async function create(id: string, entry: string): Promise<Stored> {
    await fs.mkdir(folder, { recursive: true })
    const generation = randomName()
    const bytes = join(headerLine(generation), entryLine(entry, HEADER_BYTES))
    const place = { folder, name: `${encodeId(id)}${ENDING}` }
    await writeAtomically(fs, { ...place, bytes, mustBeNew: true }).catch((error) => {
      throw failureOf(error) === 'EEXIST' ? conflict(id, error) : error
    })
    return { version: versionOf({ generation, size: bytes.length }), concurrent: false }
  }

  async function replace(
    id: string,
    entry: string,
    version: string | undefined,
    { erase = false }: ReplaceOptions = {},
  ): Promise<Stored> {
    if (version === undefined) return create(id, entry)
    const stored = await add(id, version, (covers) => entryLine(entry, covers))
    return stored.concurrent ? stored : rewrite(id, stored, erase)
  }

  /** Leaves out what checkpoints replaced. The session is whole before and after; a failure costs only room. */
  async function rewrite(id: string, stored: Stored, erase: boolean): Promise<Stored> {
    const file = await fs.open(fileOf(id), 'r')
    try {
      const { generation, size } = parseVersion(stored.version)
      const bytes = await readFrom(file, 0, size)
      const { entries, unmerged } = readLines(id, bytes)
      const [checkpoint = '', ...others] = entries
      if (generationOf(bytes) !== generation || others.length > 0 || unmerged.length > 0) return stored
      const next = { generation: randomName(), line: entryLine(checkpoint, HEADER_BYTES) }
      const replaced = size - next.line.length
      const isWorthIt = replaced >= WORTH_REWRITING && replaced >= next.line.length
      if (!isWorthIt && !erase) return stored
      const content = join(headerLine(next.generation), next.line)
      await writeAtomically(fs, { folder, name: `${encodeId(id)}${ENDING}`, bytes: content })
      await bringOver(fs, { from: file, since: size, to: fileOf(id) })
      return { version: versionOf({ generation: next.generation, size: content.length }), concurrent: false }
    } catch {
      return stored
    } finally {
      await file.close()
    }
  }

  return {
    read: (id) => guard(id, 'cannot be read', read(id)),
    append: (id, entry, version) =>
      guard(
        id,
        'cannot be saved',
        add(id, version, () => entryLine(entry)),
      ),
    replace: (id, entry, version, options) =>
      guard(id, 'cannot be saved', replace(id, entry, version, options)),
    list: async () => {
      const names = (await guard('*', 'cannot be listed', ifThere(fs.readdir(folder)))) ?? []
      const ids = names
        .filter((name) => name.endsWith(ENDING))
        .map((name) => decodeId(name.slice(0, -ENDING.length)))
      return ids.filter((id) => id !== undefined).sort()
    },
    remove: async (id) => void (await guard(id, 'cannot be removed', ifThere(fs.unlink(fileOf(id))))),
  }
}

interface Seen {
  generation: string
  /** Where the last whole line ended. */
  size: number
}

const versionOf = ({ generation, size }: Seen) => `${generation}:${size}`

function parseVersion(version: string): Seen {
  const [generation = '', size] = version.split(':')
  return { generation, size: Number(size) }
}

interface Addition {
  id: string
  path: string
  file: OpenFile
  seen: Seen
  line(covers: number): Uint8Array
}

/**
 * Adds one line to the end, in one write. Two processes may both find the file as they know it, and both add: each then
 * sees that the file has grown by more than its own line, and nothing is lost.
 */
async function addTo(fs: SessionFileSystem, { id, path, file, seen, line }: Addition): Promise<Stored> {
  const { size } = await file.stat()
  const generation = generationOf(await readFrom(file, 0, HEADER_BYTES))
  if (generation !== seen.generation || size < seen.size) throw conflict(id)
  // What follows may be the remains of a line that was never finished.
  const since = await readFrom(file, seen.size, size - seen.size)
  if (hasWholeLine(since)) throw conflict(id)
  const grown = await writeWhole(file, line(seen.size))
  await file.datasync()
  const [now, there] = [await file.stat(), await ifThere(fs.stat(path))]
  // Written anew meanwhile, without this line.
  if (there === undefined || there.ino !== now.ino) throw conflict(id)
  const concurrent = now.size !== size + grown
  return { version: versionOf(concurrent ? seen : { generation, size: now.size }), concurrent }
}

/** A line that the system took a part of does not count, and is written again. Returns how much the file grew. */
async function writeWhole(file: OpenFile, line: Uint8Array): Promise<number> {
  let grown = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { bytesWritten } = await file.write(line, 0, line.length, null)
    grown += bytesWritten
    if (bytesWritten === line.length) return grown
  }
  throw Object.assign(new Error('the disk takes no more'), { code: 'ENOSPC' })
}

/** What others added to the old file between its last reading and the new one's taking its place. */
async function bringOver(
  fs: SessionFileSystem,
  { from, since, to }: { from: OpenFile; since: number; to: string },
): Promise<void> {
  const late = await readFrom(from, since, (await from.stat()).size - since)
  if (late.length === 0) return
  const file = await fs.open(to, 'a')
  try {
    await file.write(late, 0, late.length, null)
    await file.datasync()
  } finally {
    await file.close()
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
