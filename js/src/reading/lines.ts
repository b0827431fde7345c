const BYTE_ORDER_MARK = /^\ufeff/

/**
 * The lines of a file without their ends, as {@link formatRead} and outlines count them: they end with a line feed, or
 * with a carriage return in a text that has no line feed. An end at the end starts no further line; a carriage return
 * before the line feed belongs to the end where all lines have one.
 */
export function linesOf(text: string): string[] {
  const content = text.replace(BYTE_ORDER_MARK, '')
  if (content === '') return []
  const hasFeed = content.includes('\n')
  const lines = content.split(hasFeed ? '\n' : '\r')
  // What stands behind the last end; an ended line otherwise, as all before it.
  const rest = lines.pop() as string
  const isEndedBoth = hasFeed && lines.every((line) => line.endsWith('\r'))
  const ended = isEndedBoth ? lines.map((line) => line.slice(0, -1)) : lines
  return rest === '' ? ended : [...ended, rest]
}
