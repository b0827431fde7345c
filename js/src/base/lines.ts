/**
 * The lines of a text without their ends, numbered as `formatRead` and outlines number them: they end with a line feed, or
 * with a carriage return in a text that has no line feed. An end at the end starts no further line; a carriage return
 * before the line feed belongs to the end where all lines have one.
 */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const hasFeed = text.includes('\n')
  const lines = text.split(hasFeed ? '\n' : '\r')
  // What stands behind the last end; an ended line otherwise, as all before it.
  const rest = lines.pop() as string
  const isEndedBoth = hasFeed && lines.every((line) => line.endsWith('\r'))
  const ended = isEndedBoth ? lines.map((line) => line.slice(0, -1)) : lines
  return rest === '' ? ended : [...ended, rest]
}
