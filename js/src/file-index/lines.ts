/**
 * The lines of a text without what ends them, numbered as `formatRead` numbers them: lines end at line feeds, with the
 * carriage return before them where all have one, or at carriage returns where there is no line feed at all.
 */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const end = text.includes('\n') ? '\n' : '\r'
  const lines = text.split(end)
  if (lines.at(-1) === '') lines.pop()
  const ended = text.endsWith(end) ? lines : lines.slice(0, -1)
  const isWindows = end === '\n' && ended.length > 0 && ended.every((line) => line.endsWith('\r'))
  return isWindows ? lines.map((line, at) => (at < ended.length ? line.slice(0, -1) : line)) : lines
}
