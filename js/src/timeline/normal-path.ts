/**
 * Returns the one name of a file for all ways to write its path: with `/` between its parts, without `.`, `..`,
 * `file://` and a slash at the end, with a drive's letter as a capital and composed characters.
 * `src/message/arguments/files.rs` does the same, but composes nothing: that takes tables.
 */
export function normalPath(written: string): string {
  const path = written
    .trim()
    .replace(/^file:\/\//, '')
    .normalize('NFC')
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
