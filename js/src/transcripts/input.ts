import { TrimtabError, type TrimtabErrorDetails } from '../base/error.js'
import { isRecord } from '../base/json.js'
import { describeJsonFailure, type JsonFailure } from './json-failure.js'
import { SkipLog } from './skip-log.js'
import type { ReadTranscriptOptions, RecordAt, SkippedLines } from './types.js'

/** Parsed file: one JSON document, or one object per line. */
export type Input =
  | { shape: 'document'; value: unknown }
  | {
      shape: 'lines'
      records: RecordAt[]
      skipped: SkipLog
      /** Number of lines that are not JSON. */
      broken: number
      /** Why the file is not one document; the more likely error if the lines are not valid either. */
      documentFailure: JsonFailure | undefined
    }

const PROGRESS_EVERY_CHARS = 1 << 20
const BINARY_PROBE_CHARS = 4096

type Parsed = { ok: true; value: unknown } | { ok: false; error: unknown }

export function parseInput(raw: string, options: ReadTranscriptOptions): Input {
  const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw
  const start = skipSpace(text, 0)
  if (start === text.length) throw unreadable('the file is empty', options)
  if (text.slice(0, BINARY_PROBE_CHARS).includes('\u0000')) {
    throw unreadable('this is not a text file (it has NUL characters)', options, { line: 1 })
  }
  if (isObjectLineWithMoreBehind(text, start)) return parseLines(text, undefined, options)

  const whole = tryParse(text)
  options.onProgress?.(text.length, text.length)
  if (whole.ok) return { shape: 'document', value: whole.value }
  return parseLines(text, describeJsonFailure(whole.error, text, 1), options)
}

export function unreadable(
  reason: string,
  options: ReadTranscriptOptions,
  place?: { line: number; unit?: SkippedLines['unit'] },
): TrimtabError {
  const where = place === undefined ? [] : [`${place.unit ?? 'line'} ${place.line}`]
  const prefix = [...(options.name === undefined ? [] : [options.name]), ...where].join(', ')
  const message = prefix === '' ? reason : `${prefix}: ${reason}`
  return new TrimtabError('unreadable_transcript', message, detailsOf(place))
}

function detailsOf(place: { line: number; unit?: SkippedLines['unit'] } | undefined): TrimtabErrorDetails {
  if (place === undefined) return {}
  return place.unit === 'entry' ? { index: place.line - 1 } : { line: place.line }
}

/** Returns the objects of a list that is one JSON document, numbered from 1. */
export function entriesOf(list: readonly unknown[], skipped: SkipLog): RecordAt[] {
  const entries: RecordAt[] = []
  list.forEach((value, index) => {
    if (isRecord(value)) entries.push({ at: index + 1, value })
    else skipped.add('not an object', index + 1)
  })
  return entries
}

/** Index of the first character from `from` that is not JSON white space (U+2028 is not). */
function skipSpace(text: string, from: number): number {
  let index = from
  while (index < text.length && ' \n\r\t'.includes(text.charAt(index))) index += 1
  return index
}

/**
 * Distinguishes JSONL from a document: no pretty-printed document has a complete object on its first line and more
 * after it.
 */
function isObjectLineWithMoreBehind(text: string, start: number): boolean {
  const end = text.indexOf('\n', start)
  if (end === -1 || text.charAt(start) !== '{' || skipSpace(text, end) === text.length) return false
  const first = tryParse(text.slice(start, end))
  return first.ok && isRecord(first.value)
}

function parseLines(
  text: string,
  documentFailure: JsonFailure | undefined,
  options: ReadTranscriptOptions,
): Input {
  const records: RecordAt[] = []
  const skipped = new SkipLog('line')
  let broken = 0
  let firstFailure: JsonFailure | undefined
  let nextReport = PROGRESS_EVERY_CHARS
  let at = 0
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const end = newline === -1 ? text.length : newline
    at += 1
    const line = text.slice(from, end)
    from = end + 1
    const parsed = skipSpace(line, 0) === line.length ? undefined : tryParse(line)
    if (parsed?.ok === false) {
      skipped.add('not valid JSON', at)
      broken += 1
      firstFailure ??= describeJsonFailure(parsed.error, line, at)
    } else if (parsed !== undefined && isRecord(parsed.value)) {
      records.push({ at, value: parsed.value })
    } else if (parsed !== undefined) {
      skipped.add('JSON, but not an object', at)
    }
    if (from > nextReport) {
      options.onProgress?.(Math.min(from, text.length), text.length)
      nextReport = from + PROGRESS_EVERY_CHARS
    }
  }
  options.onProgress?.(text.length, text.length)
  if (records.length === 0) throw nothingReadable(documentFailure ?? firstFailure, options)
  return { shape: 'lines', records, skipped, broken, documentFailure }
}

function nothingReadable(failure: JsonFailure | undefined, options: ReadTranscriptOptions): TrimtabError {
  return failure === undefined
    ? unreadable('no line is a JSON object', options)
    : unreadable(failure.reason, options, { line: failure.line })
}

function tryParse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    return { ok: false, error }
  }
}
