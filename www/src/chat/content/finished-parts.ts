/** Parts shorter than this are not worth an element of their own, in characters. */
const SHORTEST = 2000

/**
 * Markdown that is still coming, cut where a paragraph or a heading begins behind an empty line: all parts but the last stay as they
 * are, so that each is made once and not with every word. What may belong to what came before it, as in lists, quotes, tables and code,
 * is not cut.
 */
export function finishedParts(text: string): string[] {
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
