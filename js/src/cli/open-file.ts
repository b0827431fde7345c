import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { Failure } from './failure.js'

/** Polling interval for a pipe that is open but has no data yet. */
const WAIT_MS = 10

/**
 * Opens a file for the duration of `work`. Does not wait for a pipe that has no writer. Rejects devices, which may be
 * endless.
 */
export function withFile<T>(file: string, work: (descriptor: number, stat: Stats) => T): T {
  // `O_NONBLOCK` does not exist on Windows, where no pipe has a path.
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
 * Reads to the end of a pipe (such as `<(...)` in a shell), or of a system file whose size is not known in advance.
 *
 * @param most Limit in bytes; a longer input is an error.
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

/** Settings written by hand are never longer. */
const MOST_TEXT_BYTES = 16 << 20

/** Reads a settings file, or a pipe, as text. */
export const readText = (file: string): string =>
  withFile(file, (descriptor) => readToEnd(file, descriptor, MOST_TEXT_BYTES)).toString('utf8')

/** Reads what is available, or waits for a writer that has not closed the pipe yet. */
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
