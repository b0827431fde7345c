import { type FileSystem, failureOf, ifThere, type OpenFile, syncFolder, withFile } from './file-system.js'
import { TEMPORARY } from './files.js'
import { randomName } from './random-name.js'
import { WriteFailure } from './write-failure.js'

/** @property mustBeNew Fail with `EEXIST` where the file is there already. */
export interface AtomicWrite {
  folder: string
  name: string
  bytes: Uint8Array
  mustBeNew?: boolean
}

/**
 * Puts a file in place as a whole: whoever reads it, also after a crash or a power failure, finds the old content or
 * the new one. The bytes go to a temporary file beside it, are brought to the disk, and take the name in one step.
 * The old file's mode is kept.
 *
 * @throws What the file system throws: the old file is then as it was. A {@link WriteFailure} says where it is not so
 * (only the folder's own sync failed: the new file is in place, and may be gone after a power failure), and names a
 * temporary file that could not be removed.
 */
export async function writeAtomically(fs: FileSystem, write: AtomicWrite): Promise<void> {
  const { folder, name, bytes, mustBeNew = false } = write
  const target = `${folder}/${name}`
  const old = await ifThere(fs.stat(target))
  const temporary = temporaryIn(folder, randomName())
  await writeTemporary(fs, temporary, bytes, old?.mode)
  const leftover = await (mustBeNew ? linkTo(fs, temporary, target) : renameTo(fs, temporary, target))
  try {
    await syncFolder(fs, folder)
  } catch (error) {
    const note = 'the new content is in place, but a power failure may take it back'
    throw new WriteFailure(error, { isWritten: true, note, leftover })
  }
  if (leftover !== undefined)
    throw new WriteFailure('the new content is in place', { isWritten: true, leftover })
}

export const temporaryIn = (folder: string, name: string): string => `${folder}/.${name}${TEMPORARY}`

/** Makes a temporary file and brings its bytes to the disk. What fails leaves none behind, or is told. */
export async function writeTemporary(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  try {
    // 'wx': a link that someone put under this name is not followed.
    await withFile(fs.open(path, 'wx', 0o666), async (file) => {
      // Once more by hand: `open` takes the process's umask off.
      if (mode !== undefined) await file.chmod(mode & 0o7777)
      await writeAll(file, bytes)
      await file.sync()
    })
  } catch (error) {
    throw await withoutTemporary(fs, path, error)
  }
}

/** The error of a write that did not happen, once its temporary file is removed; it names that where it stays. */
export async function withoutTemporary(fs: FileSystem, path: string, error: unknown): Promise<unknown> {
  const leftover = await removeTemporary(fs, path)
  return leftover === undefined ? error : new WriteFailure(error, { isWritten: false, leftover })
}

/** Twice where it fails: a failure may be of a moment. Returns the path where the file stays. */
async function removeTemporary(fs: FileSystem, path: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await ifThere(fs.unlink(path))
      return undefined
    } catch {
      // Tried again, and told then.
    }
  }
  return path
}

/** Writes all bytes; a system may take fewer at a time. */
async function writeAll(file: OpenFile, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, null)
    if (bytesWritten === 0) throw Object.assign(new Error('the disk takes no more'), { code: 'ENOSPC' })
    done += bytesWritten
  }
}

/** Returns the temporary file where it stays, like {@link linkTo}: after a rename it never does. */
async function renameTo(fs: FileSystem, from: string, to: string): Promise<undefined> {
  try {
    await fs.rename(from, to)
  } catch (error) {
    // Only its answer was lost: nobody else takes a temporary file's name away.
    if (await isGone(fs, from)) return
    throw await withoutTemporary(fs, from, error)
  }
}

const isGone = (fs: FileSystem, path: string): Promise<boolean> =>
  fs.lstat(path).then(
    () => false,
    (error: unknown) => failureOf(error) === 'ENOENT',
  )

/** A link fails where the name is taken; a rename would replace. Returns the temporary file where it stays. */
async function linkTo(fs: FileSystem, from: string, to: string): Promise<string | undefined> {
  try {
    await fs.link(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(failureOf(error)))
      throw await withoutTemporary(fs, from, error)
    return renameToFree(fs, from, to)
  }
  return removeTemporary(fs, from)
}

/** For a file system without links: between the question and the rename another process could make the file. */
async function renameToFree(fs: FileSystem, from: string, to: string): Promise<undefined> {
  const isTaken = await ifThere(fs.lstat(to)).then(
    (there) => there !== undefined,
    async (error: unknown) => {
      throw await withoutTemporary(fs, from, error)
    },
  )
  if (isTaken)
    throw await withoutTemporary(fs, from, Object.assign(new Error('the file exists'), { code: 'EEXIST' }))
  return renameTo(fs, from, to)
}
