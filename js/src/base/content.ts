import type { TextEncoding } from '../generated/types.js'
import { check, type Kind, kind, oneOf } from './check.js'
import { wellFormed } from './text.js'

/** Encodings that a host may name for a file without a byte order mark. */
export const ENCODING = oneOf<TextEncoding>(['utf-8', 'utf-16le', 'utf-16be', 'latin-1'])

/**
 * Bytes whose buffer is not detached, and has not become too short for them. A detached buffer belongs to another owner,
 * such as a worker.
 */
export const BYTES: Kind<Uint8Array> = kind(
  'a string or a Uint8Array',
  (value) => value instanceof Uint8Array && !isOutOfBounds(value),
)

/** Whether a value is a `Uint8Array` that is not detached; `false` for a revoked proxy. */
export function isBytes(value: unknown): value is Uint8Array {
  try {
    return BYTES.is(value)
  } catch {
    return false
  }
}

function isOutOfBounds(bytes: Uint8Array): boolean {
  try {
    bytes.subarray()
    return false
  } catch {
    return true
  }
}

/**
 * A file as text. `malformed` names the encoding if some bytes were not valid in it; they are U+FFFD in the
 * text. So is half of a surrogate pair in a content that is a string: no UTF-8 holds it.
 */
export interface Decoded {
  text: string
  malformed: 'UTF-8' | 'UTF-16' | undefined
}

/**
 * Decodes a file. The encoding is that of the byte order mark, or else `told`, or else UTF-8. The mark stays
 * in the text, as it does in a content that is a string: see {@link withoutMark}.
 */
export function textOf(content: unknown, told?: TextEncoding): string {
  if (typeof content === 'string') return wellFormed(content)
  const bytes = check('content', content, BYTES)
  const encoding = encodingOf(bytes, told)
  return encoding === 'latin-1' ? latin1(bytes) : new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
}

/** Removes the byte order mark of a file, which no line shows. A second one is text. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

/** Like {@link textOf}, and also reports what was replaced. */
export function decoded(content: unknown, told?: TextEncoding): Decoded {
  const text = textOf(content, told)
  // Without U+FFFD in the text, nothing was replaced.
  if (!text.includes('\ufffd') || text === content) return { text, malformed: undefined }
  if (!(content instanceof Uint8Array)) return { text, malformed: 'UTF-8' }
  const encoding = encodingOf(content, told)
  try {
    new TextDecoder(encoding, { fatal: true }).decode(content)
    return { text, malformed: undefined }
  } catch {
    return { text, malformed: encoding === 'utf-8' ? 'UTF-8' : 'UTF-16' }
  }
}

function encodingOf(content: Uint8Array, told: TextEncoding = 'utf-8'): TextEncoding {
  const [first, second, third] = [content[0], content[1], content[2]]
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : told
}

/** Decodes ISO 8859-1. `latin1` of `TextDecoder` is windows-1252. */
function latin1(content: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < content.length; at += 8192) {
    pieces.push(String.fromCharCode(...content.subarray(at, at + 8192)))
  }
  return pieces.join('')
}
