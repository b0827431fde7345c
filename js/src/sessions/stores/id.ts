import { refuse, refuseWith } from '../../base/check.js'

/** Maximum length of a session's name in bytes, encoded: file systems allow 255, including the extension. */
const LONGEST = 200
const PLAIN = /[a-z0-9_-]/
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`

/**
 * Encodes a session's id as a name that is valid in every file system and key-value store. Different ids get different
 * names, also where `A` and `a` are the same: all characters except lower-case letters, digits, `_` and `-` are written
 * as `%` and their UTF-8 bytes.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function encodeId(id: string): string {
  if (typeof id !== 'string' || id === '' || /\p{Surrogate}/u.test(id)) {
    refuse('id', "a session's id, a string that is not empty", id)
  }
  const bytes = new TextEncoder().encode(id)
  const encoded = Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte)
    return PLAIN.test(letter) ? letter : percent(byte)
  }).join('')
  const name = DEVICE.test(encoded) ? percent(bytes[0] as number) + encoded.slice(1) : encoded
  if (name.length > LONGEST)
    refuseWith('id', `the session id ${JSON.stringify(id.slice(0, 40))}… is too long`)
  return name
}

/** Decodes a name made by {@link encodeId}; returns `undefined` for any other name. */
export function decodeId(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name)
    return encodeId(id) === name ? id : undefined
  } catch {
    return undefined
  }
}
