import { estimateText } from '../../../pkg/files.js'
import { checkText } from '../base/check.js'
import { files } from '../engine/files.js'

/** UTF-16 units. A text is passed in pieces, because wasm memory never shrinks. */
const PIECE = 1 << 20

/**
 * Estimates the tokens of a text by its composition: words, digits, signs, blanks, letters beyond ASCII. One
 * estimate for all models; on a real coding session with Claude it is closer than the count of another
 * model's encoding. Pieces of a million UTF-16 units are estimated separately.
 *
 * @throws {TrimtabError} `invalid_option` if `text` is not a string.
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
