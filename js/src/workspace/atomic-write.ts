import { type FileSystem, failureOf, ifThere, type OpenFile, syncFolder } from './file-system.js'
import { TEMPORARY } from './files.js'
import { randomName } from './random-name.js'

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
 * The old file's mode is kept. When it throws, the old file is as it was, save where only the folder's own sync failed:
 * then the new one is in place, and may be gone after a power failure.
 */
export async function writeAtomically(fs: FileSystem, write: AtomicWrite): Promise<void> {
  const { folder, name, bytes, mustBeNew = false } = write
  const target = `${folder}/${name}`
  const old = await ifThere(fs.stat(target))
  const temporary = `${folder}/.${randomName()}${TEMPORARY}`
  try {
    await fillNew(fs, temporary, bytes, old?.mode)
    if (mustBeNew) await moveToFree(fs, temporary, target)
    else await fs.rename(temporary, target)
  } catch (error) {
    // What is reported is why the write failed, not that its remains could not be cleared away.
    await fs.unlink(temporary).catch(() => undefined)
    throw error
  }
  await syncFolder(fs, folder)
}

async function fillNew(fs: FileSystem, path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  // 'wx': a link that someone put under this name is not followed.
  const file = await fs.open(path, 'wx', 0o666)
  try {
    // Once more by hand: `open` takes the process's umask off.
    if (mode !== undefined) await file.chmod(mode & 0o7777)
    await writeAll(file, bytes)
    await file.sync()
  } finally {
    await file.close()
  }
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

/** A link fails where the name is taken; a rename would replace. */
async function moveToFree(fs: FileSystem, from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(failureOf(error))) throw error
    // A file system without links: between this question and the rename another process could make the file.
    if ((await ifThere(fs.lstat(to))) !== undefined) {
      throw Object.assign(new Error('the file exists'), { code: 'EEXIST' })
    }
    return fs.rename(from, to)
  }
  await fs.unlink(from).catch(() => undefined)
}
