import { readSync } from 'node:fs'
import { Failure, fileReason } from './failure.js'
import { readToEnd, withFile } from './open-file.js'
import type { Progress } from './progress.js'

const CHUNK_BYTES = 8 << 20
/** JavaScript strings cannot hold a longer text. */
const MAX_PIPE_BYTES = 512 << 20

/** Reads a file as text, or standard input for `-`. */
export async function readText(file: string, progress: Progress): Promise<string> {
  try {
    const bytes = file === '-' ? await readStdin() : readFile(file, progress)
    return decode(bytes)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw error instanceof NotText
      ? new Failure(`${nameOf(file)}: ${error.message}`)
      : new Failure(`${nameOf(file)}: ${fileReason(error)}`)
  }
}

export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}

class NotText extends Error {}

function readFile(file: string, progress: Progress): Buffer {
  return withFile(file, (descriptor, stat) => {
    if (stat.size === 0) return readToEnd(file, descriptor, MAX_PIPE_BYTES)
    const chunks: Buffer[] = []
    let done = 0
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, stat.size - done || CHUNK_BYTES)))
      const read = readSync(descriptor, chunk)
      if (read === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, read))
      done += read
      progress.update('reading', done, stat.size)
    }
  })
}

export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

function decode(bytes: Buffer): string {
  const start = bytes.subarray(0, 4).toString('hex')
  if (start.startsWith('1f8b')) throw new NotText('the file is compressed (gzip): unpack it first')
  if (start === '28b52ffd') throw new NotText('the file is compressed (zstd): unpack it first')
  if (start.startsWith('fffe')) return new TextDecoder('utf-16le').decode(bytes)
  if (start.startsWith('feff')) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.toString('utf8')
}
