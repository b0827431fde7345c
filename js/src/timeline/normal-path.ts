/** Returns a path without `.` and `..` between its parts, and with single slashes: what leads to a file is one name. */
export function normalPath(path: string): string {
  const parts: string[] = []
  for (const part of path.trim().split('/')) {
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '' && last !== '..') parts.pop()
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part)
  }
  if (path.trim().endsWith('/') && parts.length > 1) parts.push('')
  return parts.join('/')
}
