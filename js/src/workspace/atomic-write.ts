import { sameBytes } from '../base/common-start.js'
import {
  type FileStat,
  type FileSystem,
  failureOf,
  ifThere,
  type OpenFile,
  openToRead,
  readFrom,
  syncFolder,
  withFile,
} from './file-system.js'
import { TEMPORARY } from './paths.js'
import { randomName } from './random-name.js'
import { WriteFailure } from './write-failure.js'

/**
 * @property mustBeNew Fail with `EEXIST` if the file exists.
 * @property temporary Path of the temporary file, in the same folder. Default: a random name.
 */
export interface AtomicWrite {
  folder: string
  name: string
  bytes: Uint8Array
  mustBeNew?: boolean
  temporary?: string
}

/** A temporary file is written again if another program removed it, as a cleanup of the folder may. */
const ATTEMPTS = 3

/**
 * Writes a whole file atomically: every reader, also after a crash or a power failure, finds either the old or the new
 * content. The bytes are written to a temporary file next to the target, synced to disk, and renamed in one step. The
 * old file's mode is kept; if it is write-protected, nothing is written.
 *
 * @throws Errors of the file system; the old file is then unchanged. A {@link WriteFailure} reports the exceptions:
 * only the sync of the folder failed (the new file is in place, and may be lost in a power failure), the folder was
 * removed or moved with the new file, a temporary file could not be removed, or it is not known whether the new file is
 * in place.
 */
export async function writeAtomically(fs: FileSystem, write: AtomicWrite): Promise<void> {
  const { folder, name, bytes, mustBeNew = false, temporary = temporaryIn(folder, randomName()) } = write
  const target = `${folder}/${name}`
  const old = await ifThere(fs.stat(target))
  if (old !== undefined && !mustBeNew) await checkWritable(fs, target, old)
  const put = mustBeNew ? linkTo : renameTo
  const leftover = await again(async () => {
    await writeTemporary(fs, temporary, bytes, old?.mode)
    return put(fs, { from: temporary, to: target, bytes })
  })
  await syncName(fs, folder, target, leftover)
  if (leftover !== undefined)
    throw new WriteFailure('the new content is in place', { isWritten: true, leftover })
}

/** Runs a write again whose temporary file was removed. */
async function again<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof TemporaryRemoved) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Syncs the folder of a file that was put in place.
 *
 * @param leftover For the error: a temporary file that could not be removed.
 */
export async function syncName(
  fs: FileSystem,
  folder: string,
  path: string,
  leftover?: string,
): Promise<void> {
  try {
    await syncFolder(fs, folder)
  } catch (error) {
    const isGone = await answered(async () => (await ifThere(fs.lstat(path))) === undefined)
    if (isGone) throw new WriteFailure(folderGone(error), { isWritten: false })
    const note = 'the new content is in place, but a power failure may take it back'
    throw new WriteFailure(error, { isWritten: true, note, leftover })
  }
}

/** Has no error code: `ENOENT` would say that the file to write is not there. */
const folderGone = (cause: unknown) => new Error('its folder was removed or moved meanwhile', { cause })

/**
 * A rename needs no permission of the file that it replaces. The owner's bit counts for root too, whom the file system
 * does not refuse.
 */
async function checkWritable(fs: FileSystem, target: string, { mode }: Partial<FileStat>): Promise<void> {
  // Some file systems have no modes.
  if (mode !== undefined && (mode & 0o200) === 0) {
    const reason = `it is write-protected (mode ${(mode & 0o777).toString(8).padStart(4, '0')})`
    throw Object.assign(new Error(reason), { code: 'EACCES' })
  }
  await withFile(fs.open(target, 'r+'), async () => undefined)
}

export const temporaryIn = (folder: string, name: string): string => `${folder}/.${name}${TEMPORARY}`

/**
 * Creates a temporary file and syncs its bytes to disk. On failure the file is removed, or reported if it cannot be.
 */
export async function writeTemporary(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  try {
    // 'wx' does not follow a link that another process created under this name.
    const opening = fs.open(path, 'wx', 0o666).catch((error: unknown) => {
      throw failureOf(error) === 'ENOENT' ? folderGone(error) : error
    })
    await withFile(opening, async (file) => {
      // Set again explicitly: `open` applies the process's umask.
      if (mode !== undefined) await file.chmod(mode & 0o7777)
      await writeAll(file, bytes)
      await file.sync()
    })
  } catch (error) {
    throw await withoutTemporary(fs, path, error)
  }
}

/**
 * Removes the temporary file of a failed write and returns the error; if the file cannot be removed, the error names
 * it.
 */
export async function withoutTemporary(fs: FileSystem, path: string, error: unknown): Promise<unknown> {
  const leftover = await removeTemporary(fs, path)
  return leftover === undefined ? error : new WriteFailure(error, { isWritten: false, leftover })
}

/** Like {@link withoutTemporary}, if the new content may be in place. */
async function unknownWithout(fs: FileSystem, path: string, error: unknown): Promise<WriteFailure> {
  const leftover = await removeTemporary(fs, path)
  const note = 'whether it was written is not known'
  return new WriteFailure(error, { isWritten: undefined, note, leftover })
}

/** Tries twice, since a failure may be temporary. Returns the path if the file remains. */
export async function removeTemporary(fs: FileSystem, path: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await ifThere(fs.unlink(path))
      return undefined
    } catch {
      // Retried, then reported.
    }
  }
  return path
}

/** Writes all bytes; a system may accept fewer at a time. */
async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, null)
    if (bytesWritten === 0) throw Object.assign(new Error('the disk takes no more'), { code: 'ENOSPC' })
    done += bytesWritten
  }
}

/** A temporary file that is complete, and the place for it. */
interface Move {
  from: string
  to: string
  bytes: Uint8Array
}

/** A failed write, whose temporary file was removed by another program before it was in place. */
class TemporaryRemoved extends WriteFailure {
  constructor(cause: unknown) {
    super(new Error('another program removed the temporary file', { cause }), { isWritten: false })
  }
}

/** Renames the temporary file. Has the type of {@link linkTo}, but never leaves the temporary file behind. */
async function renameTo(fs: FileSystem, move: Move): Promise<undefined> {
  const { from, to } = move
  try {
    await fs.rename(from, to)
  } catch (error) {
    const isGone = await answered(() => isMissing(fs, from))
    if (isGone) return checkMoved(fs, move, error)
    throw await (isGone === undefined ? unknownWithout : withoutTemporary)(fs, from, error)
  }
}

/**
 * Tells what became of a temporary file that is gone after a failed call: it is in place, and only the answer of the
 * call was lost; or another program removed it.
 */
async function checkMoved(fs: FileSystem, { from, to, bytes }: Move, error: unknown): Promise<undefined> {
  const isInPlace = await answered(() => hasContent(fs, to, bytes))
  if (isInPlace === undefined) throw await unknownWithout(fs, from, error)
  if (!isInPlace) throw new TemporaryRemoved(error)
}

async function hasContent(fs: FileSystem, path: string, bytes: Uint8Array): Promise<boolean> {
  const found = await ifThere(openToRead(fs, path))
  if (found === undefined) return false
  return withFile(Promise.resolve(found), async (file) => {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size !== bytes.length) return false
    return sameBytes(await readFrom(file, 0, bytes.length), bytes)
  })
}

/** Whether nothing has this name. */
export const isMissing = (fs: FileSystem, path: string): Promise<boolean> =>
  ifThere(fs.lstat(path), ['ENOENT']).then((stat) => stat === undefined)

/** Asks twice, since a failure may be temporary. Returns `undefined` if there is no answer. */
export async function answered<T>(question: () => Promise<T>): Promise<T | undefined> {
  return question()
    .catch(question)
    .catch(() => undefined)
}

/**
 * Puts the file in place with a link, which fails if the name is taken; a rename would replace. Returns the path of the
 * temporary file if it remains.
 */
async function linkTo(fs: FileSystem, move: Move): Promise<string | undefined> {
  const { from, to } = move
  try {
    await fs.link(from, to)
  } catch (error) {
    const isGone = failureOf(error) === 'ENOENT' && (await answered(() => isMissing(fs, from)))
    if (isGone) return checkMoved(fs, move, error)
    // If both names are of the same file, the link was made and only its answer was lost.
    const isMade = await answered(() => isSameFile(fs, from, to))
    if (isMade === false && NO_LINKS.includes(failureOf(error))) return renameToFree(fs, move)
    if (!isMade) throw await (isMade === undefined ? unknownWithout : withoutTemporary)(fs, from, error)
  }
  return removeTemporary(fs, from)
}

/** Errors of a file system without links. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Whether the second name is of the same file as the first. Some file systems number all files 0. */
async function isSameFile(fs: FileSystem, one: string, other: string): Promise<boolean> {
  const there = await ifThere(fs.lstat(other), ['ENOENT'])
  return there !== undefined && there.ino !== 0 && (await fs.lstat(one)).ino === there.ino
}

/** For file systems without links: another process could create the file between the check and the rename. */
async function renameToFree(fs: FileSystem, move: Move): Promise<undefined> {
  const { from, to } = move
  const isTaken = await ifThere(fs.lstat(to)).then(
    (there) => there !== undefined,
    async (error: unknown) => {
      throw await withoutTemporary(fs, from, error)
    },
  )
  if (isTaken)
    throw await withoutTemporary(fs, from, Object.assign(new Error('the file exists'), { code: 'EEXIST' }))
  return renameTo(fs, move)
}
