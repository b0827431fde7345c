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
  // Never split a surrogate pair.
  const isHalf = end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  const part = text.slice(0, isHalf ? end - 1 : end)
  return { text: part, isAll: part.length === text.length }
}
