import { reasonOf } from '../base/error.js'
import { largest } from '../base/largest.js'
import { cut } from '../base/text.js'

/** Where and why a text is not valid JSON. Lines from 1. */
export interface JsonFailure {
  line: number
  reason: string
}

const REASON_CHARS = 100

/** Describes an error of `JSON.parse` on a text that starts at `firstLine`. */
export function describeJsonFailure(error: unknown, text: string, firstLine: number): JsonFailure {
  if (error instanceof RangeError) return { line: firstLine, reason: 'not valid JSON (nested too deeply)' }
  const message = reasonOf(error)
  const offset = offsetIn(message, text)
  return { line: firstLine + newlinesBefore(text, offset), reason: `not valid JSON (${shorten(message)})` }
}

function offsetIn(message: string, text: string): number {
  const position = positionIn(message)
  if (position !== undefined) return position
  if (endsEarly(message)) return text.length
  return text.includes('\n') ? firstBadOffset(text) : 0
}

function positionIn(message: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

function endsEarly(message: string): boolean {
  return /end of (?:JSON )?input|end of data/i.test(message)
}

/**
 * Finds the offset of the error if the message quotes the text instead of giving a position. A prefix of the text fails
 * only for ending too early if and only if it ends before the error, so a binary search finds it.
 */
function firstBadOffset(text: string): number {
  return largest(0, text.length, (length) => isCutShort(text.slice(0, length)))
}

function isCutShort(prefix: string): boolean {
  try {
    JSON.parse(prefix)
    return true
  } catch (error) {
    const message = reasonOf(error)
    const position = positionIn(message)
    return endsEarly(message) || /^Unterminated string/.test(message) || position === prefix.length
  }
}

function newlinesBefore(text: string, offset: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Removes the engine's quote of the text: it can contain anything, including line breaks and terminal codes. */
function shorten(message: string): string {
  if (endsEarly(message)) return 'it ends too early'
  const short = message
    .replace(/, (?:\.\.\.)?".*$/su, '')
    .replace(/ in JSON at position.*$/su, '')
    .replace(/ at position.*$/su, '')
    .replace(/[\p{Cc}\p{Cs}]/gu, '?')
  return short.charAt(0).toLowerCase() + cut(short, REASON_CHARS).slice(1)
}
