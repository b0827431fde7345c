import { shown } from '../base/check.js'
import { TrimtabError } from '../base/error.js'

/** A path below a workspace's root, as a list of names. Empty for the root. */
export type Names = readonly string[]

/** Suffix of a temporary file's name; such files are not listed. */
export const TEMPORARY = '.trimtab-tmp'

/** Maximum length of a name in UTF-8 bytes: the limit of file systems. */
const NAME_BYTES = 255
const PATH_BYTES = 4096

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/
const LONE_SURROGATE = /\p{Surrogate}/u
/** A backslash is a separator on Windows: `..` is rejected there too. */
const UPWARDS = /(?:^|[\\/])\.\.[. ]*(?:[\\/]|$)/
const NOT_PORTABLE = /[<>:"|?*\\]/
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
/** What hosts show for bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd'
const encoder = new TextEncoder()

/** Whether a text has more UTF-8 bytes: at most 3 for a UTF-16 unit, so that few texts must be encoded. */
const isLonger = (text: string, bytes: number) =>
  3 * text.length > bytes && encoder.encode(text).length > bytes

/**
 * Parses a path from a model or a host. A path that could leave the root on any system is rejected by its text alone:
 * it need not exist, and the result is the same on every system.
 *
 * @throws {TrimtabError} `invalid_path`.
 */
export function parsePath(path: string): Names {
  if (typeof path !== 'string') throw refuse(shown(path), `a path must be a string, found ${typeof path}`)
  if (path === '') throw refuse(path, 'it is empty: name a file below the root')
  checkText(path, path)
  if (/^[\\/]/.test(path)) throw refuse(path, 'it is absolute: give it relative to the root')
  // Joined to the root, `a:b` cannot lead out of it.
  if (/^[a-z]:(?:[\\/]|$)/i.test(path)) throw refuse(path, 'it names a drive: give it relative to the root')
  if (/^~(?:[\\/]|$)/.test(path)) throw refuse(path, 'it names a home folder: give it relative to the root')
  checkUpwards(path, path)
  checkLength(path)
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (const name of names) checkNameLength(path, name)
  return names
}

/**
 * Checks the last name of a path that was listed below a parsed one: the path is then as {@link parsePath} allows it.
 *
 * @throws {TrimtabError} `invalid_path`.
 */
export function checkListed(path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1)
  checkText(path, name)
  checkUpwards(path, name)
  checkLength(path)
  checkNameLength(path, name)
}

function checkText(path: string, part: string): void {
  if (CONTROL.test(part)) throw refuse(path, 'it holds a control character')
  if (LONE_SURROGATE.test(part)) throw refuse(path, 'it is not well-formed Unicode')
}

function checkUpwards(path: string, part: string): void {
  if (UPWARDS.test(part)) throw refuse(path, '`..` is not allowed: give the path from the root')
}

function checkLength(path: string): void {
  if (isLonger(path, PATH_BYTES)) throw refuse(path, 'it is too long')
}

function checkNameLength(path: string, name: string): void {
  // It is created in composed characters, which are the fewest bytes.
  if (isLonger(name.normalize('NFC'), NAME_BYTES)) throw refuse(path, 'a name in it is too long')
}

/**
 * Rejects names that some systems cannot store, or interpret differently: devices, streams (`a.txt:b`), names that end
 * in a dot or a space; and names that stand for one that is not UTF-8. Checked only when a file is created; an existing
 * one (`aux.c` on Linux) can be read and written.
 */
export function checkPortable(names: Names): void {
  if (names.some(isMisnamed)) throw refusedName(names.join('/'))
  if (names.some((name) => name.endsWith(TEMPORARY)))
    throw refuse(
      names.join('/'),
      `names that end in ${TEMPORARY} are those of temporary files: choose another`,
    )
  const name = names.find((name) => NOT_PORTABLE.test(name) || /[. ]$/.test(name) || DEVICE.test(name))
  if (name === undefined) return
  const reason = `not every system can hold the name ${JSON.stringify(name)}: choose one without <>:"|?*\\, without a dot or space at its end, and no device`
  throw refuse(names.join('/'), reason)
}

/** Whether a path may stand for one that is not UTF-8. */
export const isMisnamed = (path: string): boolean => path.includes(REPLACEMENT)

/**
 * The refusal of a name that is not UTF-8, as other programs may make them on Linux. Hosts show its bytes as U+FFFD, and
 * no path that is a text leads to the file.
 */
export const refusedName = (path: string): TrimtabError =>
  refuse(
    path,
    'U+FFFD stands for bytes that are not UTF-8: a file of such a name cannot be opened, only renamed',
  )

/**
 * Rejects a path that ends with a slash: it names a folder, and a file is to be written.
 *
 * @throws {TrimtabError} `invalid_path`.
 */
export function checkNamesFile(path: string): void {
  if (path.endsWith('/')) throw refuse(path, 'it ends with a slash, as that of a folder: name a file')
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
