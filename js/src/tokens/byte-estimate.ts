import { utf8Length } from '../base/text.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'

/** Estimates the tokens of a text as the engine does. */
export function estimateByBytes(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN)
}
