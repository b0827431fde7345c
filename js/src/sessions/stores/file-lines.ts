import { unreadable } from './errors.js'
import type { StoreRepair } from './store.js'

// Format of a session's file, line by line (docs/guides/sessions.md):
//   {"trimtab":"session","generation":"0123456789abcdef"}
//   {"id":"89ab...","covers":53,"entry":{...},"bytes":1234}     a checkpoint: replaces everything before it
//   {"id":"cdef...","after":1334,"entry":{...},"bytes":567}     an appended entry
//   {"id":"0123...","after":1982,"next":"fedcba9876543210"}     the file of this generation replaces this file
// `covers` and `after` hold the end, in bytes, of the last valid line at the time of writing. A line is valid if that
// still holds where it stands: of two appended after the same end, the first one is. So the file itself determines the
// order, and every reader sees the same one. `bytes` is the length of the entry: a line that was not written completely
// has none, or a wrong one. Each line begins with its line feed, so that it is independent of an incomplete line before
// it.

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
  encoder.encode(`\n{"id":"${id}","after":${after},"entry":${withLength(entry)}`)

export const checkpointLine = ({ id, after }: LineHead, entry: string): Uint8Array =>
  encoder.encode(checkpointText({ id, after }, entry))

/** Ends a file: no line added later is valid, and the file of generation `next` replaces it. */
export const endLine = ({ id, after }: LineHead, next: string): Uint8Array =>
  encoder.encode(`\n{"id":"${id}","after":${after},"next":"${next}"}`)

/** Content of a new file with one checkpoint. */
export const newFile = (generation: string, id: string, entry: string): Uint8Array =>
  encoder.encode(headerLine(generation) + checkpointText({ id, after: HEADER_BYTES }, entry))

const checkpointText = ({ id, after }: LineHead, entry: string) =>
  `\n{"id":"${id}","covers":${after},"entry":${withLength(entry)}`

const withLength = (entry: string) => `${entry},"bytes":${encoder.encode(entry).length}}`

interface Line extends LineHead {
  /** Position in the file, in bytes. */
  start: number
  end: number
  entry?: string
  isCheckpoint: boolean
  next?: string
}

/** Valid part of a session's file. */
export interface FileLog {
  /** The last checkpoint and the entries appended to it; without the checkpoint if that is before the part read. */
  entries: string[]
  hasCheckpoint: boolean
  repairs: StoreRepair[]
  /** End of the last valid line. */
  end: number
  /** First valid line. */
  first: { id: string; end: number } | undefined
  /** Generation of the file that replaces this one. */
  next: string | undefined
}

/** @param from Offset of `bytes` in the file: the end of the header, or of a valid line. */
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

/**
 * Adds a valid line. After an end line, one is valid only if its writer saw that the next file does not exist
 * (file.ts).
 */
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

/** Parses a whole file. @throws {TrimtabError} `unreadable_session`. */
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

/** Parses a line without parsing the entry, which may be large. */
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
  // Everything except the entry is ASCII.
  if (bytes.length - start.length - end.length !== Number(length)) return undefined
  const entry = text.slice(start.length, text.length - end.length)
  return { id, after: Number(after), isCheckpoint: kind === 'covers', entry }
}
