import { readSync } from 'node:fs'
import { Failure, fileReason } from './failure.js'
import { nameOf, readStdin } from './input.js'
import { readToEnd, withFile } from './open-file.js'

/** Larger files are not source code, and a parse tree takes many times their size. */
const MAX_BYTES = 64 << 20

/** Reads a whole file as bytes; standard input for `-`. */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    if (file === '-') return await readStdin()
    return withFile(file, (descriptor, stat) => {
      if (stat.size > MAX_BYTES)
        throw new Failure(`${file}: larger than 64 MB; trimtab read --limit N shows a part of it`)
      return stat.size === 0 ? readPipe(file, descriptor) : readWhole(descriptor, stat.size)
    })
  } catch (error) {
    throw inWords(file, error)
  }
}

/** Converts an error on a file to the command's message. */
export function inWords(file: string, error: unknown): Error {
  return error instanceof Failure ? error : new Failure(`${nameOf(file)}: ${fileReason(error)}`)
}

function readWhole(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let done = 0
  while (done < size) {
    const read = readSync(descriptor, bytes, done, size - done, done)
    // The file was truncated meanwhile.
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/** Reads a pipe to its end, up to the limit for files. */
export const readPipe = (file: string, descriptor: number): Uint8Array =>
  readToEnd(file, descriptor, MAX_BYTES)
