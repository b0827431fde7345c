import { readSync } from 'node:fs'
import { formatRead } from '../files/index.js'
import { Failure, fileReason } from './failure.js'
import { readToEnd, withFile } from './open-file.js'
import type { Progress } from './progress.js'

const CHUNK_BYTES = 8 << 20
/** JavaScript strings cannot hold a longer text. */
const MAX_TEXT_BYTES = 512 << 20
/** Larger files are not source code, and a parse tree takes many times their size. */
const MAX_SOURCE_BYTES = 64 << 20

export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}

/** Runs work on a file; its errors become the command's messages. */
export async function inWords<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${nameOf(file)}: ${fileReason(error)}`)
  }
}

/** Reads a file as text, or standard input for `-`. */
export function readText(file: string, progress: Progress): Promise<string> {
  return inWords(file, async () => {
    if (file === '-') return decode(file, await readStdin())
    const bytes = withFile(file, (descriptor, { size }) => {
      if (size > MAX_TEXT_BYTES) throw new Failure(`${file}: more than ${MAX_TEXT_BYTES >> 20} MB of data`)
      return readWhole(file, descriptor, size, MAX_TEXT_BYTES, (done) =>
        progress.update('reading', done, size),
      )
    })
    return decode(file, bytes)
  })
}

/** A file of source code. */
export interface SourceFile {
  path: string
  content: Uint8Array
}

/**
 * Reads a whole file of source code, or standard input for `-`.
 *
 * @param lacks What a binary file does not have.
 */
export async function readSource(file: string, lacks: string): Promise<SourceFile> {
  const content = await readBytes(file)
  const { binary } = formatRead({ path: file, content, limit: 1 })
  if (binary !== null) throw new Failure(`${nameOf(file)}: a binary file (${binary}) has no ${lacks}`)
  return { path: file, content }
}

/** Reads a whole file as bytes; standard input for `-`. */
export function readBytes(file: string): Promise<Uint8Array> {
  return inWords(file, async () => {
    if (file === '-') return readStdin()
    return withFile(file, (descriptor, { size }) => {
      if (size > MAX_SOURCE_BYTES)
        throw new Failure(`${file}: larger than 64 MB; trimtab read --limit N shows a part of it`)
      return readWhole(file, descriptor, size, MAX_SOURCE_BYTES)
    })
  })
}

/** Reads a pipe to its end, up to the limit for source code. */
export const readPipe = (file: string, descriptor: number): Uint8Array =>
  readToEnd(file, descriptor, MAX_SOURCE_BYTES)

/** @param mostOfPipe Limit in bytes for an input without a size. */
function readWhole(
  file: string,
  descriptor: number,
  size: number,
  mostOfPipe: number,
  onRead: (done: number) => void = () => {},
): Buffer {
  if (size === 0) return readToEnd(file, descriptor, mostOfPipe)
  const chunks: Buffer[] = []
  let done = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, size - done || CHUNK_BYTES)))
    const read = readSync(descriptor, chunk)
    if (read === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, read))
    done += read
    onRead(done)
  }
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

function decode(file: string, bytes: Buffer): string {
  const start = bytes.subarray(0, 4).toString('hex')
  const packed = start.startsWith('1f8b') ? 'gzip' : start === '28b52ffd' ? 'zstd' : undefined
  if (packed !== undefined)
    throw new Failure(`${nameOf(file)}: the file is compressed (${packed}): unpack it first`)
  if (start.startsWith('fffe')) return new TextDecoder('utf-16le').decode(bytes)
  if (start.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.toString('utf8')
}
