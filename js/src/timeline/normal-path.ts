import { wellFormed } from '../base/text.js'

/**
 * Returns the one name of a file for all ways to write its path: with `/` between its parts, without `.`, `..`,
 * `file://`, `\\?\` and a slash at the end, with a drive's letter as a capital, composed characters and without halves of
 * surrogate pairs, which the engine reads as U+FFFD.
 * `src/message/arguments/files.rs` does the same, but composes nothing: that takes tables.
 */
export function normalPath(written: string): string {
  const trimmed = wellFormed(written).trim()
  const url = /^file:\/\/(?:localhost)?(.*)/s.exec(trimmed)?.[1]
  const path = (url === undefined ? trimmed.replace(/^\\\\\?\\/, '') : decoded(url)).normalize('NFC')
  const isDrive = (part = '') => /^[a-z]:$/i.test(part)
  const hasRoot = /^[/\\]/.test(path)
  const parts: string[] = []
  for (const part of path.split(/[/\\]/)) {
    const hasDrive = isDrive(parts[0])
    const last = parts.at(-1)
    const isBelow = last !== undefined && last !== '..' && !(hasDrive && parts.length === 1)
    if (part === '..' && isBelow) parts.pop()
    else if (part !== '' && part !== '.' && !(part === '..' && (hasRoot || hasDrive))) parts.push(part)
  }
  const normal = parts.join('/')
  if (isDrive(parts[0])) return normal.charAt(0).toUpperCase() + normal.slice(1)
  return hasRoot ? `/${normal}` : normal || '.'
}

/** Returns the text of a URL with its escapes (`%20`) decoded; the text itself if that is no UTF-8. */
function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    return url
  }
}
