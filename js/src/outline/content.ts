import { refuse } from '../base/check.js'

/** The text of a file: bytes are UTF-8, or UTF-16 where they begin with its byte order mark. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (content instanceof Uint8Array) return new TextDecoder(encodingOf(content)).decode(content)
  return refuse('content', 'a string or a Uint8Array', content)
}

/** A NUL in its first bytes makes a file binary, as in git. */
const BINARY_HEAD = 8000

/** Whether this is no text: bytes that hold a NUL and are not UTF-16. */
export function isBinary(content: unknown): boolean {
  if (!(content instanceof Uint8Array) || encodingOf(content) !== 'utf-8') return false
  return content.subarray(0, BINARY_HEAD).includes(0)
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
