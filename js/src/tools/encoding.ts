import { atOnce } from '../base/at-once.js'
import { check } from '../base/check.js'
import { ENCODING } from '../base/content.js'
import type { TextEncoding } from '../generated/types.js'

/** Returns the encoding of a file by its path; `undefined` if it is UTF-8 or has a byte order mark. */
export type EncodingOf = (path: string) => TextEncoding | undefined

/** Returns the host's encoding for a file, checked. */
export function toldBy(encodingOf: EncodingOf | undefined, path: string): TextEncoding | undefined {
  const told = atOnce('encodingOf', encodingOf?.(path))
  return told === undefined ? undefined : check('encodingOf', told, ENCODING)
}
