import { shown } from '../base/check.js'
import { TrimtabError } from '../base/error.js'

/** A path below a workspace's root, as a list of names. Empty for the root. */
export type Names = readonly string[]

/** Maximum length of a name in UTF-8 bytes: the limit of file systems, less the suffix of temporary files. */
const NAME_BYTES = 220
const PATH_BYTES = 4096

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/
const LONE_SURROGATE = /\p{Surrogate}/u
const NOT_PORTABLE = /[<>:"|?*\\]/
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
const encoder = new TextEncoder()

/**
 * Parses a path from a model or a host. A path that could leave the root on any system is rejected by its text alone:
 * it need not exist, and the result is the same on every system.
 *
 * @throws {TrimtabError} `invalid_path`.
 */
export function parsePath(path: string): Names {
  if (typeof path !== 'string') throw refuse(shown(path), `a path must be a string, found ${typeof path}`)
  if (path === '') throw refuse(path, 'it is empty: name a file below the root')
  if (CONTROL.test(path)) throw refuse(path, 'it holds a control character')
  if (LONE_SURROGATE.test(path)) throw refuse(path, 'it is not well-formed Unicode')
  if (/^[\\/]/.test(path)) throw refuse(path, 'it is absolute: give it relative to the root')
  // Joined to the root, `a:b` cannot lead out of it.
  if (/^[a-z]:(?:[\\/]|$)/i.test(path)) throw refuse(path, 'it names a drive: give it relative to the root')
  if (/^~(?:[\\/]|$)/.test(path)) throw refuse(path, 'it names a home folder: give it relative to the root')
  // A backslash is a separator on Windows: `..` is rejected there too.
  if (path.split(/[\\/]/).some((name) => /^\.\.[. ]*$/.test(name))) {
    throw refuse(path, '`..` is not allowed: give the path from the root')
  }
  if (encoder.encode(path).length > PATH_BYTES) throw refuse(path, 'it is too long')
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.some((name) => encoder.encode(name).length > NAME_BYTES))
    throw refuse(path, 'a name in it is too long')
  return names
}

/**
 * Rejects names that some systems cannot store, or interpret differently: devices, streams (`a.txt:b`), names that end
 * in a dot or a space. Checked only when a file is created; an existing one (`aux.c` on Linux) can be read and written.
 */
export function checkPortable(names: Names): void {
  const name = names.find((name) => NOT_PORTABLE.test(name) || /[. ]$/.test(name) || DEVICE.test(name))
  if (name === undefined) return
  const reason = `not every system can hold the name ${JSON.stringify(name)}: choose one without <>:"|?*\\, without a dot or space at its end, and no device`
  throw refuse(names.join('/'), reason)
}

/** Spellings under which a path may be stored, since systems encode `é` differently. The given spelling comes first. */
export function spellings(names: Names): Names[] {
  const path = names.join('/')
  const all = new Set([path, path.normalize('NFC'), path.normalize('NFD')])
  return [...all].map((spelling) => spelling.split('/').filter((name) => name !== ''))
}

/** A path as JSON. JSON leaves one control character as it is. */
const quoted = (path: string): string => JSON.stringify(path).replaceAll('\x7f', '\\u007f')

/**
 * Returns a path on one line: as JSON without its quotes if it has control characters or half of a surrogate pair, which
 * a workspace refuses; others can be used as they are.
 */
export const escaped = (path: string): string =>
  CONTROL.test(path) || LONE_SURROGATE.test(path) ? quoted(path).slice(1, -1) : path

export function refuse(path: string, reason: string, cause?: unknown): TrimtabError {
  const shown = quoted(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  return new TrimtabError('invalid_path', `the path ${shown} is refused: ${reason}`, {
    argument: 'path',
    cause,
  })
}
