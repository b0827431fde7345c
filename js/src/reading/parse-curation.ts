import { checkCount, checkText } from '../base/check.js'
import { countLines, type LineRange, mergeRanges } from './line-ranges.js'

/** What a model chose of a file. */
export interface Curation {
  /** Valid ranges in the order of the file, merged where they overlap or touch. */
  ranges: LineRange[]
  /** What the model says of its choice; empty where it says nothing. */
  summary: string
  /** Lines in the ranges, and how much of the file that is: counted, whatever the model says. */
  preservedLines: number
  preservedPercentage: number
  /** How many ranges were no ranges, or not of this file. */
  skipped: number
}

/**
 * Reads a curating model's answer: JSON, alone, fenced, or with text around it. Ranges that are not of this file are
 * skipped. `undefined` where no valid range is in it.
 *
 * @param totalLines How many lines the file has.
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

/** What an answer says instead of a choice: `{"error": "..."}`. */
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

/** Models also write numbers as text. */
function lineNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value
  return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined
}

/** The most places of a text that are tried as the beginning of an object. */
const MAX_ATTEMPTS = 100

/** The outermost objects in a text, in their order, whatever stands around them. */
function* objectsIn(text: string): Generator<Record<string, unknown>> {
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

/** Where the object that begins at `start` ends: braces in strings do not count. */
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
    return JSON.parse(json) as Record<string, unknown>
  } catch {
    return undefined
  }
}
