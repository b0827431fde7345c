import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { Failure, fileReason } from './failure.js'
import { nameOf, readStdin } from './input.js'

/** Larger ones are no source files, and a grammar's tree takes many times their size. */
const MAX_BYTES = 64 << 20

/** A file's bytes, whole: standard input for `-`. */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    if (file === '-') return await readStdin()
    return withFile(file, (descriptor, stat) => {
      if (stat.size > MAX_BYTES)
        throw new Failure(`${file}: larger than 64 MB; trimtab read --limit N shows a part of it`)
      return stat.isFIFO() ? readPipe(descriptor) : readWhole(descriptor, stat.size)
    })
  } catch (error) {
    throw inWords(file, error)
  }
}

/** Opens a file for as long as the work takes, which reads what it needs of it. */
export function withFile<T>(file: string, work: (descriptor: number, stat: Stats) => T): T {
  const descriptor = openSync(file, 'r')
  try {
    const stat = fstatSync(descriptor)
    if (stat.isDirectory()) throw new Failure(`${file}: this is a directory`)
    if (!stat.isFile() && !stat.isFIFO()) throw new Failure(`${file}: this is a device, not a file`)
    return work(descriptor, stat)
  } finally {
    closeSync(descriptor)
  }
}

/** What went wrong with a file, as the command says it. */
export function inWords(file: string, error: unknown): Error {
  return error instanceof Failure ? error : new Failure(`${nameOf(file)}: ${fileReason(error)}`)
}

function readWhole(descriptor: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let done = 0
  while (done < size) {
    const read = readSync(descriptor, bytes, done, size - done, done)
    // Somebody made it shorter meanwhile.
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}

/** Everything that comes out of a pipe (`<(...)` of a shell). */
export function readPipe(descriptor: number): Uint8Array {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(1 << 16)
    const read = readSync(descriptor, chunk)
    if (read === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, read))
  }
}
