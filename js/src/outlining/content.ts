import { TrimtabError } from '../error.js'

/** The text of a file: bytes are UTF-8, or UTF-16 where they begin with its byte order mark. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (content instanceof Uint8Array) return new TextDecoder(encodingOf(content)).decode(content)
  const found = content === null ? 'null' : typeof content
  const message = `content must be a string or a Uint8Array, found ${found}`
  throw new TrimtabError('invalid_option', message, { argument: 'content' })
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
