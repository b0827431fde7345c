import { estimateText } from '../../../pkg/files.js'
import { checkText } from '../base/check.js'
import { files } from '../engine/files.js'

/** A text crosses in pieces: what wasm once holds of memory, it keeps. */
const PIECE = 1 << 20

/**
 * Estimated tokens of a text by what it is made of: words, digits, signs, blanks, letters beyond ASCII. An estimate for every
 * model; on a real coding session with Claude it is nearer than a count by another model's encoding. Pieces of a
 * million UTF-16 units are estimated by themselves.
 *
 * @throws {TrimtabError} `invalid_option` for what is no text.
 */
export function estimateTokens(text: string): number {
  checkText('text', text)
  let tokens = 0
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE)
    tokens += files.enter(() => estimateText(piece))
  }
  return tokens
}
