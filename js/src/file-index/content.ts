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

/**
 * The lines of a text without what ends them, numbered as `formatRead` numbers them: lines end at line feeds, with the
 * carriage return before them where all have one, or at carriage returns where there is no line feed at all.
 */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const end = text.includes('\n') ? '\n' : '\r'
  const lines = text.split(end)
  if (lines.at(-1) === '') lines.pop()
  const ended = text.endsWith(end) ? lines : lines.slice(0, -1)
  const isWindows = end === '\n' && ended.length > 0 && ended.every((line) => line.endsWith('\r'))
  return isWindows ? lines.map((line, at) => (at < ended.length ? line.slice(0, -1) : line)) : lines
}
