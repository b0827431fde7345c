import { type FileSystem, failureOf, type OpenFile, readFrom, withFile } from '../../workspace/file-system.js'
import { WriteFailure } from '../../workspace/write-failure.js'
import { conflict } from './errors.js'
import { generationOf, HEADER_BYTES, readFileLog, readLog } from './file-lines.js'
import type { SessionPlace } from './file-place.js'
import { nextFile } from './file-temporary.js'

const ATTEMPTS = 3

/** Note of an error after which everything is stored, but not synced. */
export const MAY_BE_LOST = 'it is in the file, but may be gone after a power failure'

/** Functions used of `node:fs/promises`. */
export interface SessionFileSystem extends Omit<FileSystem, 'constants' | 'mkdir'> {
  readonly constants: { readonly O_RDWR: number; readonly O_APPEND: number; readonly O_NONBLOCK?: number }
  mkdir(path: string, options?: { recursive: boolean }): Promise<unknown>
}

/** What a writer has seen of a session: the parsed version of `fileStore`. */
export interface Seen {
  generation: string
  /** End of the last valid line, in bytes. */
  size: number
}

/** A line to append, and the state it follows. */
interface Addition {
  seen: Seen
  /** Unique id of the line. */
  lineId: string
  line: Uint8Array
}

/**
 * Appends a line in one write, if no valid line was added since. Several processes may pass this check and all append:
 * the first of their lines is valid, and each process reads back which one that is. Returns the end of the line, in
 * bytes.
 *
 * @throws {TrimtabError} `conflict`: the line is not valid. Every other error says in `isWritten` whether it is.
 */
export async function commit(
  fs: SessionFileSystem,
  place: SessionPlace,
  addition: Addition,
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { O_RDWR, O_APPEND } = fs.constants
    const opening = fs.open(place.path, O_RDWR | O_APPEND).catch((error: unknown) => {
      throw failureOf(error) === 'ENOENT' ? conflict(place.id) : error
    })
    const end = await withFile(opening, async (file) => {
      const header = await readFrom(file, 0, HEADER_BYTES)
      if (generationOf(header) === addition.seen.generation) return addTo(file, place.id, addition)
      await putInPlace(fs, place, file, addition.seen.generation)
      return undefined
    })
    if (end !== undefined) return end
  }
  throw conflict(place.id)
}

async function addTo(file: OpenFile, id: string, { seen, lineId, line }: Addition): Promise<number> {
  const { size } = await file.stat()
  if (size < seen.size || (await firstSince(file, seen.size)) !== undefined) throw conflict(id)
  const failure = await writeWhole(file, line).then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  )
  const first = await firstSince(file, seen.size)
    .catch(() => firstSince(file, seen.size))
    .catch((error: unknown) => {
      throw new WriteFailure(error, { isWritten: undefined, note: 'whether it was saved is not known' })
    })
  if (first?.id !== lineId) throw failure === undefined ? conflict(id) : failure.cause
  if (failure !== undefined) throw new WriteFailure(failure.cause, { isWritten: true, note: MAY_BE_LOST })
  await file.datasync().catch((error: unknown) => {
    throw new WriteFailure(error, { isWritten: true, note: MAY_BE_LOST })
  })
  return first.end
}

/** Returns the first valid line after `from`. */
async function firstSince(file: OpenFile, from: number): Promise<{ id: string; end: number } | undefined> {
  const { size } = await file.stat()
  return readLog(await readFrom(file, from, size - from), from).first
}

/** Retries a partial write: an incomplete line is invalid, so the whole line is written again. */
async function writeWhole(file: OpenFile, line: Uint8Array): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { bytesWritten } = await file.write(line, 0, line.length, null)
    if (bytesWritten === line.length) return
  }
  throw Object.assign(new Error('the disk takes no more'), { code: 'ENOSPC' })
}

/**
 * Puts the next file in the place of one that was ended: the process that ended it was killed, or is about to do the
 * same.
 *
 * @throws {TrimtabError} `conflict` if the next file has another generation.
 */
async function putInPlace(
  fs: SessionFileSystem,
  place: SessionPlace,
  file: OpenFile,
  generation: string,
): Promise<void> {
  const { id, path } = place
  const bytes = await readFrom(file, 0, (await file.stat()).size)
  if (generationOf(bytes) === undefined || readFileLog(id, bytes).next !== generation) throw conflict(id)
  await fs.rename(nextFile(place, generation), path).catch((error: unknown) => {
    // Another process did it meanwhile.
    if (failureOf(error) !== 'ENOENT') throw error
  })
}
