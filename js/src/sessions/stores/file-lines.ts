import { unreadable } from './errors.js'
import type { StoreRepair } from './store.js'

// The form of a session's file, line by line (docs/guides/sessions.md):
//   {"trimtab":"session","generation":"0123456789abcdef"}
//   {"id":"89ab...","covers":53,"entry":{...},"bytes":1234}     a checkpoint: stands for all before it
//   {"id":"cdef...","after":1334,"entry":{...},"bytes":567}     what was appended
//   {"id":"0123...","after":1982,"next":"fedcba9876543210"}     the file of this generation takes this one's place
// `covers` and `after` say where the last line that counts ended when this one was written, in bytes. A line counts if
// that is still so where it stands: of two that were added to the same end, the first. So the file itself says who was
// first, the same to everybody who reads it. `bytes` is the entry's length: a line that was not written whole has none,
// or another. Each line begins with its newline: it stands by itself whatever remains of another one are before it.

const NEWLINE = 10
const START = '{"trimtab":"session","generation":"'
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of the first line. */
export const HEADER_BYTES = `${START}0123456789abcdef"}`.length

const headerLine = (generation: string) => `${START}${generation}"}`

/** The generation that a file's first bytes name. A file that is written anew has another. */
export function generationOf(header: Uint8Array): string | undefined {
  const text = decoder.decode(header.subarray(0, HEADER_BYTES))
  return /^\{"trimtab":"session","generation":"([0-9a-f]{16})"\}$/.exec(text)?.[1]
}

/** What a line is: where the last one that counts ended, and a name that no other line has. */
interface LineHead {
  id: string
  after: number
}

export const entryLine = ({ id, after }: LineHead, entry: string): Uint8Array =>
  encoder.encode(`\n{"id":"${id}","after":${after},"entry":${withLength(entry)}`)

export const checkpointLine = ({ id, after }: LineHead, entry: string): Uint8Array =>
  encoder.encode(checkpointText({ id, after }, entry))

/** Ends a file: nothing that is added after it counts, and the file of generation `next` takes its place. */
export const endLine = ({ id, after }: LineHead, next: string): Uint8Array =>
  encoder.encode(`\n{"id":"${id}","after":${after},"next":"${next}"}`)

/** A whole file with one checkpoint. */
export const newFile = (generation: string, id: string, entry: string): Uint8Array =>
  encoder.encode(headerLine(generation) + checkpointText({ id, after: HEADER_BYTES }, entry))

const checkpointText = ({ id, after }: LineHead, entry: string) =>
  `\n{"id":"${id}","covers":${after},"entry":${withLength(entry)}`

const withLength = (entry: string) => `${entry},"bytes":${encoder.encode(entry).length}}`

interface Line extends LineHead {
  /** Its place in the file, in bytes. */
  start: number
  end: number
  entry?: string
  isCheckpoint: boolean
  next?: string
}

/** What counts of a session's file. */
export interface FileLog {
  /** The last checkpoint and what was appended to it; without the checkpoint where it stands before what was read. */
  entries: string[]
  hasCheckpoint: boolean
  repairs: StoreRepair[]
  /** Where the last line that counts ended. */
  end: number
  /** The first line that counts. */
  first: { id: string; end: number } | undefined
  /** The generation of the file that takes this one's place. */
  next: string | undefined
}

/** @param from Where in the file the bytes begin: at the end of the header, or of a line that counts. */
export function readLog(bytes: Uint8Array, from: number): FileLog {
  const { lines, repairs } = wholeLines(bytes, from)
  const log: FileLog = {
    entries: [],
    hasCheckpoint: false,
    repairs,
    end: from,
    first: undefined,
    next: undefined,
  }
  for (const line of lines) if (line.after === log.end) addLine(log, line)
  return log
}

/** After the end of a file a line only counts where its writer saw that the next file is gone (file.ts). */
function addLine(log: FileLog, { id, end, entry, isCheckpoint, next }: Line): void {
  log.end = end
  log.next = next
  log.first ??= { id, end }
  if (isCheckpoint) {
    log.entries = []
    log.hasCheckpoint = true
  }
  if (entry !== undefined) log.entries.push(entry)
}

/** All of a file. @throws {TrimtabError} `unreadable_session`. */
export function readFileLog(id: string, bytes: Uint8Array): FileLog {
  const log = readLog(bytes.subarray(HEADER_BYTES), HEADER_BYTES)
  if (!log.hasCheckpoint) throw unreadable(id, 'its file has no complete checkpoint')
  return log
}

function wholeLines(bytes: Uint8Array, from: number): { lines: Line[]; repairs: StoreRepair[] } {
  const lines: Line[] = []
  const repairs: StoreRepair[] = []
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    const line = parseLine(bytes.subarray(start, end))
    if (line !== undefined) lines.push({ ...line, start: from + start, end: from + end })
    else if (end > start) repairs.push({ line: number, bytes: end - start })
    start = end + 1
  }
  return { lines, repairs }
}

/** Without parsing the entry, which may be large. */
function parseLine(bytes: Uint8Array): Omit<Line, 'start' | 'end'> | undefined {
  const text = decoder.decode(bytes)
  const ending = /^\{"id":"([0-9a-f]{16})","after":(\d+),"next":"([0-9a-f]{16})"\}$/.exec(text)
  if (ending !== null) {
    const [, id = '', after, next = ''] = ending
    return { id, after: Number(after), isCheckpoint: false, next }
  }
  const [start, id = '', kind, after] =
    /^\{"id":"([0-9a-f]{16})","(after|covers)":(\d+),"entry":/.exec(text) ?? []
  const [end, length] = /,"bytes":(\d+)\}$/.exec(text.slice(-32)) ?? []
  if (start === undefined || end === undefined) return undefined
  // Everything but the entry is ASCII.
  if (bytes.length - start.length - end.length !== Number(length)) return undefined
  const entry = text.slice(start.length, text.length - end.length)
  return { id, after: Number(after), isCheckpoint: kind === 'covers', entry }
}
