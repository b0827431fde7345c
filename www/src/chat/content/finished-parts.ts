/** Minimum length of a part, in characters: shorter ones do not justify an element. */
const SHORTEST = 2000

/** A definition of a link, to which any part may refer. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Divides Markdown at paragraphs and headings that follow an empty line. While it streams, all parts but the
 * last are final, so that each is rendered once and not with every word. Does not divide where the text may belong to what precedes it, as
 * in lists, quotes, tables and code, nor a text with link definitions.
 */
export function finishedParts(text: string): string[] {
  if (DEFINITION.test(text)) return [text]
  const parts: string[] = []
  let [from, at] = [0, 0]
  let isCode = false
  let isBehindEmpty = false
  for (const line of text.split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && isBehindEmpty && at - from >= SHORTEST && /^(?:\p{L}|#{1,6} )/u.test(line)) {
      parts.push(text.slice(from, at))
      from = at
    }
    isBehindEmpty = line.trim() === ''
    at += line.length + 1
  }
  parts.push(text.slice(from))
  return parts
}
