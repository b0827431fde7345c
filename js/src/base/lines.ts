/**
 * Splits a text into lines without their ends, with the numbering of `formatRead` and outlines. A line ends
 * with a line feed, or with a carriage return in a text without line feeds. An end at the end of the text
 * starts no further line. A carriage return before the line feed belongs to the line end if all lines have
 * one.
 */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const hasFeed = text.includes('\n')
  const lines = text.split(hasFeed ? '\n' : '\r')
  // The text after the last line end. If it is empty, the text ended with a line end.
  const rest = lines.pop() as string
  const isEndedBoth = hasFeed && lines.every((line) => line.endsWith('\r'))
  const ended = isEndedBoth ? lines.map((line) => line.slice(0, -1)) : lines
  return rest === '' ? ended : [...ended, rest]
}
