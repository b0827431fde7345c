import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import { utf8Length } from '../tokens/byte-estimate.js'

/** What the number in front of a line takes. */
const NUMBER_BYTES = 8

/** Tokens that lines take in a view, with their numbers, estimated. */
export function estimateLines(lines: readonly string[]): number {
  const bytes = lines.reduce((sum, line) => sum + utf8Length(line) + NUMBER_BYTES, 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
