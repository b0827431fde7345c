import { readable } from './terminal.js'

/** Size of a portion: a browser lays out some thousands of lines at once without a pause. */
const PORTION = { lines: 60, characters: 6000 } as const

/**
 * Returns the first `portions` portions of a text, cut at the end of a line if possible, and whether that is all of it.
 */
export function firstPart(text: string, portions: number): { text: string; isAll: boolean } {
  const limit = PORTION.characters * portions
  let end = Math.min(text.length, limit)
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines === PORTION.lines * portions) {
      end = at
      break
    }
  }
  const part = startOf(text, end)
  return { text: part, isAll: part.length === text.length }
}

/** Returns at most `most` UTF-16 units of a text, and never half of a surrogate pair. */
function startOf(text: string, most: number): string {
  const isHalf = most < text.length && /[\uD800-\uDBFF]/.test(text[most - 1] ?? '')
  return text.slice(0, isHalf ? most - 1 : most)
}

/** Maximum length of a name, a place or a line that is shown in one piece. */
const LONGEST = 1000

/** Returns a text that is shown in one piece: readable, and cut off if it is very long. */
export const shortened = (text: string, most = LONGEST): string =>
  readable(text.length <= most ? text : `${startOf(text, most)}…`)
