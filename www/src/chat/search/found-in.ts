/** A range of a text, in UTF-16 units. */
export interface Found {
  readonly start: number
  readonly end: number
}

const patterns = new Map<string, RegExp>()

/** Returns the first occurrence of a text, ignoring case; `null` if there is none. */
export function foundIn(whole: string, wanted: string): Found | null {
  const pattern = patterns.get(wanted) ?? new RegExp(escaped(wanted), 'iu')
  patterns.clear()
  patterns.set(wanted, pattern)
  const match = pattern.exec(whole)
  return match === null ? null : { start: match.index, end: match.index + match[0].length }
}

/** Escapes a text for a regular expression. White space matches any white space, such as a line end. */
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')

/** Characters shown before and after the match. */
const [BEFORE, BEHIND] = [28, 90]

/** A match with its surroundings, on one line. */
export interface Snippet {
  readonly before: string
  readonly found: string
  readonly behind: string
}

export function snippetOf(whole: string, { start, end }: Found): Snippet {
  const from = Math.max(0, start - BEFORE)
  const to = Math.min(whole.length, end + BEHIND)
  return {
    before: `${from > 0 ? '…' : ''}${oneLine(whole.slice(from, start)).trimStart()}`,
    found: oneLine(whole.slice(start, end)),
    behind: `${oneLine(whole.slice(end, to)).trimEnd()}${to < whole.length ? '…' : ''}`,
  }
}

/** Removes halves of surrogate pairs, control characters and bidirectional overrides. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\uFFFD', '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
