import { crc32 } from './crc32.js'
import { unreadable } from './errors.js'
import type { StoreRepair } from './store.js'

// Format of a session's file, line by line (docs/guides/sessions.md):
//   {"trimtab":"session","generation":"0123456789abcdef"}
//   {"id":"89ab...","covers":53,"entry":{...},"crc":"5f3a9c01"}     a checkpoint: replaces everything before it
//   {"id":"cdef...","after":1334,"entry":{...},"crc":"a0b1c2d3"}    an appended entry
//   {"id":"0123...","after":1982,"next":"fedcba9876543210","crc":"01234567"}    the file that replaces this file
// `covers` and `after` hold the end, in bytes, of the last valid line at the time of writing. A line is valid if that
// still holds where it stands: of two appended after the same end, the first one is. So the file itself determines the
// order, and every reader sees the same one. `crc` is the CRC-32 of the line's bytes before it: a line that was not
// written completely has none, and one that was changed since has a wrong one. Each line begins with its line feed, so
// that it is independent of an incomplete line before it.

const NEWLINE = 10
const START = '{"trimtab":"session","generation":"'
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Length of the first line, in bytes. */
export const HEADER_BYTES = `${START}0123456789abcdef"}`.length

const headerLine = (generation: string) => `${START}${generation}"}`

/** Returns the generation named in a file's first bytes. A rewritten file has a new generation. */
export function generationOf(header: Uint8Array): string | undefined {
  const text = decoder.decode(header.subarray(0, HEADER_BYTES))
  return /^\{"trimtab":"session","generation":"([0-9a-f]{16})"\}$/.exec(text)?.[1]
}

/** Head of a line: the end of the last valid line before it, and an id that no other line has. */
interface LineHead {
  id: string
  after: number
}

export const entryLine = ({ id, after }: LineHead, entry: string): Uint8Array =>
  withCrc(`{"id":"${id}","after":${after},"entry":${entry}`)

export const checkpointLine = (head: LineHead, entry: string): Uint8Array => withCrc(checkpoint(head, entry))

/** Ends a file: no line added later is valid, and the file of generation `next` replaces it. */
export const endLine = ({ id, after }: LineHead, next: string): Uint8Array =>
  withCrc(`{"id":"${id}","after":${after},"next":"${next}"`)

/** Content of a new file with one checkpoint. */
export const newFile = (generation: string, id: string, entry: string): Uint8Array =>
  withCrc(checkpoint({ id, after: HEADER_BYTES }, entry), headerLine(generation))

const checkpoint = ({ id, after }: LineHead, entry: string) =>
  `{"id":"${id}","covers":${after},"entry":${entry}`

const CRC_BYTES = ',"crc":"01234567"}'.length

/** Returns the bytes of a line that begins with these fields. @param before What stands before the line. */
function withCrc(fields: string, before = ''): Uint8Array {
  const start = encoder.encode(`${before}\n${fields}`)
  const bytes = new Uint8Array(start.length + CRC_BYTES)
  bytes.set(start)
  const crc = crc32(start.subarray(before.length + 1))
  bytes.set(encoder.encode(`,"crc":"${crc.toString(16).padStart(8, '0')}"}`), start.length)
  return bytes
}

interface Line extends LineHead {
  entry?: string
  isCheckpoint: boolean
  next?: string
}

/** What stands between two line feeds. */
interface Piece {
  /** From 1, as the line after the header's. */
  number: number
  /** Position in the file, in bytes. */
  start: number
  end: number
  /** Absent if it is incomplete or damaged. */
  line: Line | undefined
}

/** Valid part of a session's file. */
export interface FileLog {
  /** The last checkpoint and the entries appended to it; without the checkpoint if that is before the part read. */
  entries: string[]
  hasCheckpoint: boolean
  repairs: StoreRepair[]
  /** Whether there is anything beside these entries: lines that they replaced, or that are not valid. */
  hasRemains: boolean
  /** End of the last valid line. */
  end: number
  /** First valid line. */
  first: { id: string; end: number } | undefined
  /** Generation of the file that replaces this one. */
  next: string | undefined
}

/**
 * Reads the lines of a file. A line that is not valid, because another one was added first, is passed over. What is
 * incomplete or damaged is reported.
 *
 * An incomplete line was never valid, so no writer continues it. If a line continues a damaged one, that one was valid,
 * and the line still is: only the damaged one is lost.
 *
 * @param from Offset of `bytes` in the file: the end of the header, or of a valid line.
 */
export function readLog(bytes: Uint8Array, from: number): FileLog {
  const log: FileLog = {
    entries: [],
    hasCheckpoint: false,
    repairs: [],
    hasRemains: false,
    end: from,
    first: undefined,
    next: undefined,
  }
  const damaged = new Set<number>()
  const valid = new Set([from])
  /** Whether another writer was first to continue the same line. */
  const isSecond = ({ after }: Line) => after < from || valid.has(after)
  for (const { number, start, end, line } of piecesOf(bytes, from)) {
    if (line === undefined) damaged.add(end)
    else if (line.after === log.end || (line.after > log.end && damaged.has(line.after))) {
      valid.add(line.after).add(end)
      addLine(log, line, end)
      continue
    }
    log.hasRemains = true
    if (line !== undefined && isSecond(line)) continue
    log.repairs.push({ line: number, bytes: end - start })
  }
  return log
}

/**
 * Adds a valid line. After an end line, one is valid only if its writer saw that the next file does not exist
 * (file.ts).
 */
function addLine(log: FileLog, { id, entry, isCheckpoint, next }: Line, end: number): void {
  log.end = end
  log.next = next
  log.first ??= { id, end }
  if (isCheckpoint) {
    log.hasRemains ||= log.hasCheckpoint
    log.entries = []
    log.hasCheckpoint = true
  }
  if (entry !== undefined) log.entries.push(entry)
}

/** Parses a whole file. @throws {TrimtabError} `unreadable_session`. */
export function readFileLog(id: string, bytes: Uint8Array): FileLog {
  const log = readLog(bytes.subarray(HEADER_BYTES), HEADER_BYTES)
  if (!log.hasCheckpoint) throw unreadable(id, 'its file has no complete checkpoint', log.repairs[0]?.line)
  return log
}

/** Splits bytes at their line feeds; empty pieces are left out. */
function piecesOf(bytes: Uint8Array, from: number): Piece[] {
  const pieces: Piece[] = []
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    const line = parseLine(bytes.subarray(start, end))
    if (end > start) pieces.push({ number, start: from + start, end: from + end, line })
    start = end + 1
  }
  return pieces
}

/** Parses a line without parsing the entry, which may be large. */
function parseLine(bytes: Uint8Array): Line | undefined {
  const text = decoder.decode(bytes)
  // All of it is ASCII: as many bytes as letters.
  const crc = /^,"crc":"([0-9a-f]{8})"\}$/.exec(text.slice(-CRC_BYTES))?.[1]
  if (crc === undefined || Number.parseInt(crc, 16) !== crc32(bytes.subarray(0, -CRC_BYTES))) return undefined
  const fields = text.slice(0, -CRC_BYTES)
  const end = /^\{"id":"([0-9a-f]{16})","after":(\d+),"next":"([0-9a-f]{16})"$/.exec(fields)
  if (end !== null) {
    const [, id = '', after, next = ''] = end
    return { id, after: Number(after), isCheckpoint: false, next }
  }
  const [start, id = '', kind, after] =
    /^\{"id":"([0-9a-f]{16})","(after|covers)":(\d+),"entry":/.exec(fields) ?? []
  if (start === undefined) return undefined
  return { id, after: Number(after), isCheckpoint: kind === 'covers', entry: fields.slice(start.length) }
}
