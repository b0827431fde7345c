import { refuse, refuseWith } from '../../base/check.js'

/** Longest name of a session, in bytes of its encoded form: file systems hold 255, and an ending follows. */
const LONGEST = 200
const PLAIN = /[a-z0-9_-]/
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

const percent = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`

/**
 * A session's id as a name that every file system and key-value store holds, and that differs for different ids also
 * where `A` and `a` are the same: what is not a small letter, a digit, `_` or `-` is written as `%` and its UTF-8 bytes.
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

/** The id that {@link encodeId} made a name of; `undefined` for any other name. */
export function decodeId(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name)
    return encodeId(id) === name ? id : undefined
  } catch {
    return undefined
  }
}
