import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { Failure } from './failure.js'

/** A pipe that a writer holds open is asked this often whether something came. */
const WAIT_MS = 10

/**
 * Opens a file for as long as the work takes. A pipe to which nobody writes is not waited for, and a device, which may have no end,
 * is refused.
 */
export function withFile<T>(file: string, work: (descriptor: number, stat: Stats) => T): T {
  // Not there on Windows, where no pipe has a path.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(descriptor)
    if (stat.isDirectory()) throw new Failure(`${file}: this is a directory`)
    if (!stat.isFile() && !stat.isFIFO()) throw new Failure(`${file}: this is a device, not a file`)
    return work(descriptor, stat)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Everything that comes out of a pipe (`<(...)` of a shell), or of a file of the system, whose size is not known before it is read.
 *
 * @param most Bytes; of more nothing is taken.
 */
export function readToEnd(file: string, descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = []
  let size = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16)
    const read = readSome(descriptor, chunk)
    if (read === 0) return Buffer.concat(chunks)
    size += read
    if (size > most) throw new Failure(`${file}: more than ${most >> 20} MB of data`)
    chunks.push(chunk.subarray(0, read))
  }
}

/** No settings that a person writes are longer. */
const MOST_TEXT_BYTES = 16 << 20

/** The text of a file of settings, or of a pipe. */
export const readText = (file: string): string =>
  withFile(file, (descriptor) => readToEnd(file, descriptor, MOST_TEXT_BYTES)).toString('utf8')

/** What is there, or what comes next from a writer that has not closed the pipe yet. */
function readSome(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk)
    } catch (error) {
      const isEmpty = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (!isEmpty || !fstatSync(descriptor).isFIFO()) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    }
  }
}
