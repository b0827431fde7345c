// Reads the text of an outline back.
import { formatRead } from 'trimtab/files'

/** Lines of an outline: text by line number. */
export function numbered(text: string): Map<number, string> {
  const lines = text.split('\n').flatMap((line) => [...(/^ *(\d+)\t(.*)$/s.exec(line) ?? [])].slice(1, 3))
  const shown = new Map<number, string>()
  for (let i = 0; i < lines.length; i += 2) shown.set(Number(lines[i]), lines[i + 1] as string)
  return shown
}

export function linesIn(ranges: readonly { start: number; end: number }[]): number[] {
  return ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, i) => start + i))
}

/** The same lines by the read tool, whose code is independent. */
export function readLines(content: string): Map<number, string> {
  return numbered(formatRead({ path: 'x', content }).text)
}
