import { BYTES_PER_TOKEN } from '../generated/protocol.js'

const utf8 = new TextEncoder()

/** UTF-8 bytes of a text. */
export function utf8Length(text: string): number {
  return utf8.encode(text).length
}

/** Estimates the tokens of a text as the engine does. */
export function estimateByBytes(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN)
}
