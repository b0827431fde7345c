import { unreadable } from './errors.js'
import type { StoreRepair } from './store.js'

// The form of a session's file, line by line (docs/guides/sessions.md):
//   {"trimtab":"session","generation":"0123456789abcdef"}
//   {"covers":54,"entry":{...},"bytes":1234}      a checkpoint: stands for all before byte 54
//   {"entry":{...},"bytes":567}                   what was appended
// `bytes` is the entry's length. A line that was not written whole has none, or another, and is known by that. Each line
// begins with its newline: it stands by itself whatever remains of another one are before it.

const NEWLINE = 10
const START = '{"trimtab":"session","generation":"'
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of the first line. */
export const HEADER_BYTES = `${START}0123456789abcdef"}`.length

export const headerLine = (generation: string): Uint8Array => encoder.encode(`${START}${generation}"}`)

/** The generation that a file's first bytes name. A file that is written anew has another. */
export function generationOf(header: Uint8Array): string | undefined {
  const text = decoder.decode(header.subarray(0, HEADER_BYTES))
  return /^\{"trimtab":"session","generation":"([0-9a-f]{16})"\}$/.exec(text)?.[1]
}

/** @param covers For a checkpoint: the byte before which all is replaced by it. */
export function entryLine(entry: string, covers?: number): Uint8Array {
  const start = covers === undefined ? '\n{"entry":' : `\n{"covers":${covers},"entry":`
  return encoder.encode(`${start}${entry},"bytes":${encoder.encode(entry).length}}`)
}

interface Line {
  /** Its place in the file, in bytes. */
  start: number
  end: number
  entry: string
  covers?: number
}

/** What a session's file holds. */
export interface FileContent {
  entries: string[]
  unmerged: string[]
  repairs: StoreRepair[]
  /** Where the last whole line ends. */
  end: number
}

/** Reads all lines after the first; of a checkpoint and what it covers, the checkpoint alone. */
export function readLines(id: string, bytes: Uint8Array): FileContent {
  const { lines, repairs } = wholeLines(bytes, HEADER_BYTES)
  const checkpoint = lines.findLast((line) => line.covers !== undefined)
  if (checkpoint?.covers === undefined) throw unreadable(id, 'there is no whole checkpoint in its file')
  // In a file that was written anew it may stand before the byte that it named in the old one.
  const covers = Math.min(checkpoint.covers, checkpoint.start)
  const live = lines.filter((line) => line !== checkpoint && line.start >= covers)
  return {
    entries: [checkpoint, ...live.filter((line) => line.covers === undefined)].map((line) => line.entry),
    unmerged: live.filter((line) => line.covers !== undefined).map((line) => line.entry),
    repairs,
    end: lines.at(-1)?.end ?? HEADER_BYTES,
  }
}

/** Whether anything was stored whole in these bytes of a file. */
export const hasWholeLine = (bytes: Uint8Array): boolean => wholeLines(bytes, 0).lines.length > 0

function wholeLines(bytes: Uint8Array, from: number): { lines: Line[]; repairs: StoreRepair[] } {
  const lines: Line[] = []
  const repairs: StoreRepair[] = []
  for (let start = from, number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    const line = parseLine(bytes.subarray(start, end))
    if (line !== undefined) lines.push({ ...line, start, end })
    else if (end > start) repairs.push({ line: number, bytes: end - start })
    start = end + 1
  }
  return { lines, repairs }
}

/** Without parsing the entry, which may be large. */
function parseLine(bytes: Uint8Array): { entry: string; covers?: number } | undefined {
  const text = decoder.decode(bytes)
  const [start, covers] = /^\{(?:"covers":(\d+),)?"entry":/.exec(text) ?? []
  const [end, length] = /,"bytes":(\d+)\}$/.exec(text.slice(-32)) ?? []
  if (start === undefined || end === undefined) return undefined
  // Everything but the entry is ASCII.
  if (bytes.length - start.length - end.length !== Number(length)) return undefined
  const entry = text.slice(start.length, text.length - end.length)
  return covers === undefined ? { entry } : { entry, covers: Number(covers) }
}
