import { refuseWith } from '../base/check.js'
import { reasonOf, TrimtabError } from '../base/error.js'
import { answered, isMissing, writeAtomically } from './atomic-write.js'
import {
  type FileStat,
  type FileSystem,
  failureOf,
  ifThere,
  openToRead,
  readFrom,
  syncFolder,
  withFile,
} from './file-system.js'
import { type FileInfo, type Files, type FolderEntry, pathOf } from './files.js'
import { type Names, refuse, TEMPORARY } from './paths.js'
import { beforeWriting, guardOf, type WriteDetails, WriteFailure, writeDetails } from './write-failure.js'

/** Larger files are not read: a file is held in memory whole, and some systems report terabytes for a few bytes. */
const MOST_BYTES = 512 << 20

/** Separator of path names: where a backslash is no separator, it is part of a name. */
const separatorOf = (root: string) => (/^(?:[a-z]:|\\\\)/i.test(root) ? /[\\/]/ : /\//)

/** Joins a folder, which may be `/` or `C:\`, and a name. */
const within = (folder: string, name: string) =>
  /^(?:\/|[a-z]:\\)$/i.test(folder) ? folder + name : `${folder}/${name}`

const placeOf = (root: string, names: Names) => (names.length === 0 ? root : within(root, pathOf(names)))

/** Stores files below a folder of the file system, through Node's `node:fs/promises`. */
export function diskFiles(fs: FileSystem, root: string): Files {
  let realRoot: Promise<string> | undefined
  /** Resolves the root at first use; retried until it succeeds. */
  const base = () => {
    realRoot ??= folderAt(fs, root).catch((error) => {
      realRoot = undefined
      throw rootFailed(root, error)
    })
    return realRoot
  }
  const at = async (names: Names) => placeOf(await base(), names)
  const guard = guardOf(failed)
  /** @param listed The folder as the list of its own folder described it. */
  const list = (names: Names, listed?: FileStat): Promise<FolderEntry[]> =>
    guard(names, 'cannot be listed', async () => {
      const folder = await at(names)
      if (listed !== undefined) await checkSame(fs, folder, names, listed)
      return entriesOf(fs, folder, names, list)
    })
  return {
    resolve: (names) => guard(names, 'cannot be reached', async () => resolve(fs, await base(), names)),
    stat: async (names) => {
      const stat = await guard(names, 'cannot be looked at', () => ifThere(at(names).then(fs.lstat)))
      return stat === undefined ? undefined : infoOf(names, stat)
    },
    read: (names) => guard(names, 'cannot be read', async () => read(fs, await at(names), names)),
    write: async (names, bytes, mustBeNew) => {
      const name = names.at(-1) as string
      const makeFolder = async () => makeFolders(fs, await base(), names.slice(0, -1))
      const folder = await beforeWriting(() => guard(names, 'its folder cannot be made', makeFolder))
      const write = () => writeAtomically(fs, { folder, name, bytes, mustBeNew })
      await guard(names, 'cannot be written', write, writeDetails)
    },
    list,
    remove: (names) =>
      guard(names, 'cannot be removed', async () => remove(fs, await at(names)), writeDetails),
  }
}

async function folderAt(fs: FileSystem, root: string): Promise<string> {
  const path = await fs.realpath(root)
  if (!(await fs.lstat(path)).isDirectory()) throw new Error('it is not a folder')
  return path
}

/**
 * Follows every link on the path and checks where it ends. Between this check and the use of the path, another process
 * could create a link: Node cannot open a file relative to an open folder. A workspace gives no protection against
 * programs that exploit that race (docs/guides/workspace.md).
 */
async function resolve(fs: FileSystem, root: string, names: Names): Promise<Names> {
  // Most paths have no link: one call tells, and a deep folder is not looked at name by name. If the call fails, the walk
  // below says why.
  const plain = placeOf(root, names)
  const end = await fs.realpath(plain).catch(() => undefined)
  if (end === plain) return names
  let there = root
  for (const [i, name] of names.entries()) {
    const next = within(there, name)
    const stat = await ifThere(fs.lstat(next))
    // Nothing exists here: the rest of the path will be created, and contains no links.
    if (stat === undefined) return [...below(root, there, names), ...names.slice(i)]
    there = stat.isSymbolicLink() ? await follow(fs, next, names) : next
    below(root, there, names)
  }
  // The file system's own spelling, in case it does not distinguish `A` from `a`.
  return below(root, await fs.realpath(there), names)
}

async function follow(fs: FileSystem, link: string, names: Names): Promise<string> {
  const end = await ifThere(fs.realpath(link)).catch((error: unknown) => {
    throw failureOf(error) === 'ELOOP' ? refuse(pathOf(names), 'a link in it leads back to itself') : error
  })
  if (end === undefined) throw refuse(pathOf(names), 'a link in it leads to nothing')
  return end
}

function below(root: string, path: string, names: Names): Names {
  if (path === root) return []
  const separator = separatorOf(root)
  const start = separator.test(root.at(-1) ?? '') ? root.length : root.length + 1
  if (path.startsWith(root) && separator.test(path[start - 1] ?? ''))
    return path.slice(start).split(separator)
  throw refuse(pathOf(names), 'a link in it leads out of the root')
}

async function makeFolders(fs: FileSystem, root: string, names: Names): Promise<string> {
  let folder = root
  for (const name of names) {
    const parent = folder
    folder = within(parent, name)
    const stat = await ifThere(fs.lstat(folder))
    if (stat?.isDirectory()) continue
    if (stat !== undefined) refuseWith('path', `${pathOf(names)} is not a folder`, 'not_a_file')
    await fs.mkdir(folder).catch((error: unknown) => {
      if (failureOf(error) !== 'EEXIST') throw error
    })
    await syncFolder(fs, parent)
  }
  return folder
}

async function read(fs: FileSystem, path: string, names: Names): Promise<Uint8Array> {
  return withFile(openToRead(fs, path), async (file) => {
    if (!(await file.stat()).isFile()) refuseWith('path', `${pathOf(names)} is not a file`, 'not_a_file')
    const chunks: Uint8Array[] = []
    let size = 0
    // Reads to the end, not to the reported size: the file may grow, and some files (in `/proc`) report 0.
    for (;;) {
      const rest = (await file.stat()).size - size
      if (size + rest > MOST_BYTES || size > MOST_BYTES) throw tooLarge(names)
      const chunk = await readFrom(file, size, Math.max(rest, 4096))
      if (chunk.length === 0) break
      chunks.push(chunk)
      size += chunk.length
    }
    return join(chunks, size)
  })
}

async function remove(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path)
  } catch (error) {
    if (failureOf(error) === 'ENOENT') throw error
    const isGone = await answered(() => isMissing(fs, path))
    if (isGone) return
    if (isGone === false) throw error
    throw new WriteFailure(error, { isWritten: undefined, note: 'whether it was removed is not known' })
  }
}

function tooLarge(names: Names): TrimtabError {
  const reason = `it has more than ${MOST_BYTES >> 20} MB, which is the most that is read of a file`
  return new TrimtabError('file_failed', `${pathOf(names)}: ${reason}`, { argument: 'path' })
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** Rejects a folder that was replaced after it was listed: a link on its path could lead out of the root. */
async function checkSame(fs: FileSystem, folder: string, names: Names, listed: FileStat): Promise<void> {
  const now = await fs.lstat(folder)
  if (now.isDirectory() && now.dev === listed.dev && now.ino === listed.ino) return
  refuseWith('path', `${pathOf(names)} was replaced after it was listed`, 'conflict')
}

async function entriesOf(
  fs: FileSystem,
  folder: string,
  names: Names,
  list: (names: Names, listed?: FileStat) => Promise<FolderEntry[]>,
): Promise<FolderEntry[]> {
  const found: FolderEntry[] = []
  for (const name of await fs.readdir(folder)) {
    if (name.endsWith(TEMPORARY)) continue
    const stat = await ifThere(fs.lstat(within(folder, name)))
    // Node decodes names as UTF-8: a name in another encoding is listed, but cannot be opened.
    if (stat === undefined && !name.includes('\ufffd')) continue
    const path = [...names, name]
    found.push({ info: infoOf(path, stat), list: () => list(path, stat) })
  }
  return found
}

function infoOf(names: Names, stat: FileStat | undefined): FileInfo {
  const kind = stat?.isFile() ? 'file' : stat?.isDirectory() ? 'folder' : 'other'
  return { path: pathOf(names), kind, size: kind === 'file' ? (stat?.size ?? 0) : 0 }
}

/** A wrong root is an error of the host and is reported as one: a model would read it as a missing file. */
function rootFailed(root: string, cause: unknown): TrimtabError {
  const name = `the workspace's root ${JSON.stringify(root)}`
  if (failureOf(cause) === 'ENOENT')
    return new TrimtabError('not_found', `${name} is not there: make the folder first`, {
      argument: 'root',
      cause,
    })
  const reason = reasonOf(cause)
  return new TrimtabError('file_failed', `${name} cannot be opened: ${reason}`, { argument: 'root', cause })
}

function failed(names: Names, what: string, error: unknown, details: WriteDetails): TrimtabError {
  const path = pathOf(names)
  const code = failureOf(error)
  const known = { argument: 'path', ...details }
  const reason = reasonOf(error)
  if (code === 'EEXIST') return new TrimtabError('conflict', `${path} was made meanwhile: ${reason}`, known)
  if (code === 'ENOENT') return new TrimtabError('not_found', `${path}: there is no such file`, known)
  const outcome = details.isWritten === true ? 'was written, but not all that belongs to it was done' : what
  return new TrimtabError('file_failed', `${path}: ${outcome}: ${reason}`, known)
}
