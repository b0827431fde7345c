import { called, check, checkOptions, NAMED } from '../../base/check.js'
import { TrimtabError } from '../../base/error.js'
import {
  answered,
  syncName,
  withoutTemporary,
  writeAtomically,
  writeTemporary,
} from '../../workspace/atomic-write.js'
import {
  checkFileSystem,
  failureOf,
  ifThere,
  type OpenFile,
  openToRead,
  readFrom,
  syncFolder,
  withFile,
} from '../../workspace/file-system.js'
import { randomName } from '../../workspace/random-name.js'
import { guardOf, WriteFailure, writeDetails } from '../../workspace/write-failure.js'
import { checkVersion, conflict, storeFailed, unreadable } from './errors.js'
import { commit, MAY_BE_LOST, type Seen, type SessionFileSystem } from './file-commit.js'
import {
  checkpointLine,
  endLine,
  entryLine,
  type FileLog,
  generationOf,
  HEADER_BYTES,
  newFile,
  readFileLog,
  readLog,
} from './file-lines.js'
import { ENDING, placeOf, realPlace, type SessionPlace } from './file-place.js'
import { nextFile, removeFiles, temporaryFiles } from './file-temporary.js'
import { decodeId } from './id.js'
import type { ReplaceOptions, SessionStore, Stored, StoredSession } from './store.js'

/** A file is rewritten when a checkpoint replaces more than this, in bytes, and more than half of the file. */
const WORTH_REWRITING = 1 << 20
/** Number of attempts to open a file that other processes keep rewriting. */
const ATTEMPTS = 20

/** Options of {@link fileStore}. */
export interface FileStoreOptions {
  /** The module `node:fs/promises`. */
  fs: SessionFileSystem
  /** Folder of the session files, one per session; created if it does not exist. */
  folder: string
}

/**
 * Stores sessions as append-only files of JSON lines. Each entry is appended in one atomic call, and the first of those
 * appended after the same end is valid. Several processes on one machine can therefore share a folder: one saves, and
 * the others get a `conflict`. Network file systems do not guarantee atomic appends: use one process at a time there.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function fileStore(options: FileStoreOptions): SessionStore {
  options = checkOptions(options ?? {}, { fs: null, folder: null }, 'fileStore')
  const { fs, folder } = options
  checkFileSystem(fs, 'fileStore')
  check('folder', folder, called(NAMED, 'the folder to keep sessions in'))
  const place = async (id: string) => realPlace(fs, placeOf(folder, id))
  const guard = guardOf(storeFailed)
  const save = (id: string, work: (place: SessionPlace) => Promise<Stored>) =>
    guard(id, 'cannot be saved', async () => work(await place(id)), writeDetails)

  return {
    read: (id) => guard(id, 'cannot be read', async () => read(fs, await place(id))),
    append: (id, entry, version) => save(id, (place) => append(fs, place, entry, parseVersion(version))),
    replace: (id, entry, version, options) =>
      save(id, (place) =>
        version === undefined
          ? create(fs, place, entry)
          : replace(fs, place, entry, parseVersion(version), options),
      ),
    sync: (id) => guard(id, 'cannot be synced', async () => sync(fs, placeOf(folder, id)), writeDetails),
    list: async () => {
      const readdir = () => ifThere(fs.readdir(folder), ['ENOENT'])
      const names = (await guard('*', 'cannot be listed', readdir)) ?? []
      const ids = names
        .filter((name) => name.endsWith(ENDING))
        .map((name) => decodeId(name.slice(0, -ENDING.length)))
      return ids.filter((id) => id !== undefined).sort()
    },
    remove: (id) => guard(id, 'cannot be removed', async () => remove(fs, placeOf(folder, id))),
  }
}

const versionOf = ({ generation, size }: Seen) => `${generation}:${size}`

function parseVersion(version: string): Seen {
  const [generation = '', size] = checkVersion(version).split(':')
  return { generation, size: Number(size) }
}

async function read(fs: SessionFileSystem, place: SessionPlace): Promise<StoredSession | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await openThere(fs, place.id, place.path)
    if (found === undefined) return undefined
    const session = await withFile(Promise.resolve(found), (file) => readOpen(fs, place, file))
    if (session !== undefined) return session
  }
  throw new Error('it is rewritten all the time')
}

/** Opens a session's file; returns `undefined` if it does not exist. Throws if the folder is a file. */
async function openThere(fs: SessionFileSystem, id: string, path: string): Promise<OpenFile | undefined> {
  const found = await ifThere(openToRead(fs, path), ['ENOENT'])
  if (found !== undefined) return found
  const link = await ifThere(fs.lstat(path))
  if (link?.isSymbolicLink()) throw unreadable(id, 'its file is a link that leads to nothing')
  return undefined
}

/** Reads an open session file; returns `undefined` if another file has replaced it. */
async function readOpen(
  fs: SessionFileSystem,
  place: SessionPlace,
  file: OpenFile,
): Promise<StoredSession | undefined> {
  const { generation, log } = await contentOf(place.id, file)
  const session = sessionOf(generation, log)
  if (log.next === undefined) return session
  // The process that ended this file was killed, or is about to do the same rename.
  const next = nextFile(place, log.next)
  const failed = await fs.rename(next, place.path).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failed === undefined) return undefined
  if (failureOf(failed) !== 'ENOENT') return readNext(fs, place.id, next)
  // This file is still in place and the next one is gone: it was deleted, so this file is valid.
  const now = await ifThere(fs.stat(place.path))
  return now?.ino === (await file.stat()).ino ? session : undefined
}

/** Reads the next file if it cannot be put in place, for example in a read-only folder. */
async function readNext(fs: SessionFileSystem, id: string, path: string): Promise<StoredSession | undefined> {
  const found = await openThere(fs, id, path)
  if (found === undefined) return undefined
  return withFile(Promise.resolve(found), async (file) => {
    const { generation, log } = await contentOf(id, file)
    return log.next === undefined ? sessionOf(generation, log) : undefined
  })
}

async function contentOf(id: string, file: OpenFile): Promise<{ generation: string; log: FileLog }> {
  const bytes = await allOf(id, file)
  const generation = generationOf(bytes)
  if (generation === undefined) {
    const reason = 'its file was not written by this store; migrateSession reads what older programs saved'
    throw unreadable(id, reason, 1)
  }
  return { generation, log: readFileLog(id, bytes) }
}

async function allOf(id: string, file: OpenFile): Promise<Uint8Array> {
  const stat = await file.stat()
  if (!stat.isFile()) throw unreadable(id, 'its path is not a file')
  return readFrom(file, 0, stat.size)
}

const sessionOf = (generation: string, { entries, repairs, hasRemains, end }: FileLog): StoredSession => ({
  entries,
  unmerged: [],
  repairs,
  hasRemains,
  version: versionOf({ generation, size: end }),
})

async function create(fs: SessionFileSystem, place: SessionPlace, entry: string): Promise<Stored> {
  const { id, folder } = place
  await fs.mkdir(folder, { recursive: true })
  const generation = randomName()
  const bytes = newFile(generation, randomName(), entry)
  const [name, temporary] = [`${place.name}${ENDING}`, nextFile(place, generation)]
  await writeAtomically(fs, { folder, name, bytes, mustBeNew: true, temporary }).catch((error) => {
    const isUnknown = error instanceof WriteFailure && error.isWritten === undefined
    throw failureOf(error) === 'EEXIST' && !isUnknown ? conflict(id, error) : error
  })
  return { version: versionOf({ generation, size: bytes.length }), concurrent: false }
}

async function append(
  fs: SessionFileSystem,
  place: SessionPlace,
  entry: string,
  seen: Seen,
  lineOf = entryLine,
): Promise<Stored> {
  const lineId = randomName()
  const line = lineOf({ id: lineId, after: seen.size }, entry)
  const size = await commit(fs, place, { seen, lineId, line })
  return { version: versionOf({ ...seen, size }), concurrent: false }
}

async function replace(
  fs: SessionFileSystem,
  place: SessionPlace,
  entry: string,
  seen: Seen,
  { erase = false }: ReplaceOptions = {},
): Promise<Stored> {
  const generation = randomName()
  const bytes = newFile(generation, randomName(), entry)
  const isWorthIt = seen.size >= WORTH_REWRITING && seen.size >= bytes.length
  if (!erase && !isWorthIt)
    return { ...(await append(fs, place, entry, seen, checkpointLine)), hasRemains: true }
  await renew(fs, place, seen, { generation, bytes })
  return { version: versionOf({ generation, size: bytes.length }), concurrent: false }
}

/**
 * Rewrites a session without what the checkpoint replaces. The new file is written next to the old one; a last line of
 * the old file names it and is the commit: from then on the new file is the session, whichever process moves it into
 * place.
 *
 * Temporary files of the session that exist before the commit are removed after it: their writers were killed, or have
 * seen what was stored before and will be told that there is a conflict.
 */
async function renew(
  fs: SessionFileSystem,
  place: SessionPlace,
  seen: Seen,
  { generation, bytes }: { generation: string; bytes: Uint8Array },
): Promise<void> {
  const temporary = nextFile(place, generation)
  await writeTemporary(fs, temporary, bytes)
  let others: string[]
  try {
    await syncFolder(fs, place.folder)
    others = (await temporaryFiles(fs, place)).filter((path) => path !== temporary)
    const lineId = randomName()
    const line = endLine({ id: lineId, after: seen.size }, generation)
    await commit(fs, place, { seen, lineId, line })
  } catch (error) {
    throw await withoutNext(fs, temporary, error)
  }
  try {
    await fs.rename(temporary, place.path).catch(async (error: unknown) => {
      if (failureOf(error) !== 'ENOENT') throw error
      await checkMoved(fs, place, seen, error)
    })
    const leftover = await removeFiles(fs, others)
    await syncName(fs, place.folder, place.path)
    if (leftover !== undefined)
      throw new WriteFailure('the new content is in place', { isWritten: true, leftover })
  } catch (error) {
    if (error instanceof TrimtabError || error instanceof WriteFailure) throw error
    const note = 'what it replaces may still be on the disk, until the session is loaded again'
    throw new WriteFailure(error, { isWritten: true, note })
  }
}

/**
 * Checks what became of a new file that is not where it was written: another process moved it into place, or deleted
 * it; in that case the old file is valid, or the session was removed.
 */
async function checkMoved(
  fs: SessionFileSystem,
  { id, path }: SessionPlace,
  { generation }: Seen,
  cause: unknown,
): Promise<void> {
  const found = await answered(() => ifThere(generationAt(fs, path)).then((there) => ({ there })))
  if (found === undefined)
    throw new WriteFailure(cause, { isWritten: undefined, note: 'whether it was saved is not known' })
  if (found.there === undefined || found.there === generation) throw conflict(id, cause)
}

/** Returns the error of a file that was not ended. Removes the next file, unless the old one may already name it. */
async function withoutNext(fs: SessionFileSystem, temporary: string, error: unknown): Promise<unknown> {
  if (!(error instanceof WriteFailure)) {
    const told = await withoutTemporary(fs, temporary, error)
    return told instanceof WriteFailure && error instanceof TrimtabError
      ? new TrimtabError(error.code, `${error.message}; ${told.message}`, writeDetails(told))
      : told
  }
  const { isWritten } = error
  const leftover = isWritten ? undefined : temporary
  return new WriteFailure(error.cause, { isWritten, note: error.note, leftover })
}

async function generationAt(fs: SessionFileSystem, path: string): Promise<string | undefined> {
  return withFile(openToRead(fs, path), async (file) => generationOf(await readFrom(file, 0, HEADER_BYTES)))
}

/** Syncs the file, and the folder for its name: that it was created, or that a new file replaced it. */
async function sync(fs: SessionFileSystem, place: SessionPlace): Promise<void> {
  try {
    const { folder, path } = await realPlace(fs, place)
    // Windows syncs only a file that is open for writing; elsewhere a read-only file can be synced too.
    const opening = fs.open(path, fs.constants.O_RDWR).catch(() => openToRead(fs, path))
    await ifThere(withFile(opening, (file) => file.datasync()))
    await ifThere(syncFolder(fs, folder))
  } catch (error) {
    throw new WriteFailure(error, { isWritten: true, note: MAY_BE_LOST })
  }
}

/** Removes a session: its file, and the link to it if its name is one. */
async function remove(fs: SessionFileSystem, place: SessionPlace): Promise<void> {
  const real = await realPlace(fs, place)
  await removeAt(fs, real)
  if (real.path === place.path || !(await ifThere(fs.lstat(place.path)))?.isSymbolicLink()) return
  await ifThere(fs.unlink(place.path))
  await ifThere(syncFolder(fs, place.folder))
}

/**
 * Removes a session's file and its temporary files, which killed writers left. Syncs the folder even if the file is
 * gone: an earlier attempt may have failed there.
 */
async function removeAt(fs: SessionFileSystem, place: SessionPlace): Promise<void> {
  const found = await openThere(fs, place.id, place.path)
  const next = found && (await withFile(Promise.resolve(found), (file) => nextOf(place, file)))
  const temporary = new Set([...(next === undefined ? [] : [next]), ...(await temporaryFiles(fs, place))])
  // First the file that would replace this one: if it stayed, it would come back as the session.
  for (const path of temporary) await ifThere(fs.unlink(path))
  if (found !== undefined) await ifThere(fs.unlink(place.path))
  // Without this, a power failure could bring the session back.
  await ifThere(syncFolder(fs, place.folder))
}

/** Path of the file that is to replace an open one. */
async function nextOf(place: SessionPlace, file: OpenFile): Promise<string | undefined> {
  const bytes = await allOf(place.id, file)
  if (generationOf(bytes) === undefined) return undefined
  const { next } = readLog(bytes.subarray(HEADER_BYTES), HEADER_BYTES)
  return next && nextFile(place, next)
}
