import { checkCount, checkText } from '../base/check.js'
import { parsedJson } from '../base/parsed-json.js'
import { wellFormed } from '../base/text.js'
import { countLines, type LineRange, mergeRanges } from './line-ranges.js'

/** A model's choice of lines. */
export interface Curation {
  /** Valid ranges in the order of the file, merged where they overlap or touch. */
  ranges: LineRange[]
  /** The model's summary of its choice; empty if it gives none. */
  summary: string
  /** Lines in the ranges, and their share of the file: counted here, whatever the model reports. */
  preservedLines: number
  preservedPercentage: number
  /** Number of invalid ranges, and of ranges outside the file. */
  skipped: number
}

/**
 * Parses a curating model's answer: JSON, alone, fenced, or within text. Skips ranges outside the file. Returns
 * `undefined` if there is no valid range.
 *
 * @param totalLines Number of lines in the file.
 * @throws {TrimtabError} `invalid_option`.
 */
export function parseCuration(answer: string, totalLines: number): Curation | undefined {
  checkText('answer', answer)
  checkCount('totalLines', totalLines)
  for (const found of objectsIn(answer)) {
    const { line_ranges: list, summary } = found
    if (!Array.isArray(list)) continue
    const valid = list.flatMap((entry) => rangeOf(entry, totalLines) ?? [])
    if (valid.length === 0) continue
    const ranges = mergeRanges(valid)
    const preservedLines = countLines(ranges)
    return {
      ranges,
      summary: typeof summary === 'string' ? summary.trim() : '',
      preservedLines,
      preservedPercentage: Number(((preservedLines / totalLines) * 100).toFixed(1)),
      skipped: list.length - valid.length,
    }
  }
  return undefined
}

/** Returns the error that an answer reports instead of a choice: `{"error": "..."}`. */
export function errorIn(answer: string): string | undefined {
  for (const { error } of objectsIn(answer)) {
    if (typeof error === 'string' && error !== '') return error
  }
  return undefined
}

function rangeOf(entry: unknown, totalLines: number): LineRange | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { start, end, reason } = entry as Record<string, unknown>
  const [first, last] = [lineNumber(start), lineNumber(end)]
  if (first === undefined || last === undefined || first > last || last > totalLines) return undefined
  const why = typeof reason === 'string' ? reason.replace(/\s+/g, ' ').trim() : ''
  return { start: first, end: last, ...(why !== '' && { reason: why }) }
}

/** Parses a line number. Models also write numbers as strings. */
function lineNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined
}

/** Maximum number of positions tried as the start of an object. */
const MAX_ATTEMPTS = 100

/** Yields the outermost JSON objects in a text in order, whatever text surrounds them. */
function* objectsIn(answer: string): Generator<Record<string, unknown>> {
  const text = wellFormed(answer)
  let from = 0
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const start = text.indexOf('{', from)
    if (start === -1) return
    const end = endOfObject(text, start)
    const value = end === undefined ? undefined : parsed(text.slice(start, end))
    if (value !== undefined) yield value
    from = value === undefined || end === undefined ? start + 1 : end
  }
}

/** Returns the end of the object that starts at `start`, ignoring braces in strings. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isString = false
  for (let i = start; i < text.length; i++) {
    const letter = text[i]
    if (isString) {
      if (letter === '\\') i++
      else if (letter === '"') isString = false
    } else if (letter === '"') isString = true
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return i + 1
  }
  return undefined
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    return parsedJson(json) as Record<string, unknown>
  } catch {
    return undefined
  }
}
