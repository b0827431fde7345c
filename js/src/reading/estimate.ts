import { utf8Length } from '../base/text.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'

/** Bytes of the line number in front of each line. */
const NUMBER_BYTES = 8

/** Estimates the tokens of numbered lines in a view. */
export function estimateLines(lines: readonly string[]): number {
  const bytes = lines.reduce((sum, line) => sum + utf8Length(line) + NUMBER_BYTES, 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** The tokens that this number of lines takes at least. */
export function leastTokens(lines: number): number {
  return Math.ceil((lines * NUMBER_BYTES) / BYTES_PER_TOKEN)
}
