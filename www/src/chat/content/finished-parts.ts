/** Minimum length of a part, in characters: shorter ones do not justify an element. */
const SHORTEST = 2000

/** A definition of a link, to which any part may refer. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m

const FENCE = /^ {0,3}(?:```|~~~)/
/** A line that no list, quote or table before it can contain, after an empty line. */
const STARTS_ANEW = /^(?:\p{L}|#{1,6} |```|~~~)/u
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /

/**
 * Divides Markdown at paragraphs, headings and code that follow an empty line, and at lists that follow one of these.
 * While it streams, all parts but the last are final, so that each is rendered once and not with every word. Does not
 * divide where the text may belong to what precedes it, as in lists, quotes, tables and code, nor a text with link
 * definitions.
 */
export function finishedParts(text: string): string[] {
  if (DEFINITION.test(text)) return [text]
  const parts: string[] = []
  let [from, at] = [0, 0]
  let isCode = false
  let isBehindEmpty = false
  /** Whether the next line may belong to a list, quote or table. */
  let isWithin = false
  for (const line of text.split('\n')) {
    if (!isCode && isBehindEmpty) {
      const isNew = STARTS_ANEW.test(line)
      if (at - from >= SHORTEST && (isNew || (!isWithin && ITEM.test(line)))) {
        parts.push(text.slice(from, at))
        from = at
      }
      if (line.trim() !== '') isWithin = !isNew
    } else if (!isCode && ITEM.test(line)) isWithin = true
    if (FENCE.test(line)) isCode = !isCode
    isBehindEmpty = line.trim() === ''
    at += line.length + 1
  }
  parts.push(text.slice(from))
  return parts
}
