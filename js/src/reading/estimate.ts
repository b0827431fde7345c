const encoder = new TextEncoder()

/** The estimate of this package: UTF-8 bytes / 3.5. */
const BYTES_PER_TOKEN = 3.5
/** What the number in front of a line takes. */
const NUMBER_BYTES = 8

/** Tokens of a text, estimated. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN)
}

/** Tokens that lines take in a view, with their numbers, estimated. */
export function estimateLines(lines: readonly string[]): number {
  const bytes = lines.reduce((sum, line) => sum + encoder.encode(line).length + NUMBER_BYTES, 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
