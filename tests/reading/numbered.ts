import { formatRead } from 'trimtab/files'

/**
 * Lines of a file by number, as counted by the read tool, whose code is independent and in another language.
 */
export function linesByNumber(content: string | Uint8Array): Map<number, string> {
  return numbered(formatRead({ path: 'x', content, maxLineLength: 1_000_000 }).text, /^ *(\d+)\t(.*)$/s)
}

/** Lines that a view shows, by number. */
export function shownLines(view: string): Map<number, string> {
  return numbered(view, /^ *(\d+) \| (.*)$/s)
}

function numbered(text: string, form: RegExp): Map<number, string> {
  const shown = new Map<number, string>()
  for (const line of text.split('\n')) {
    const [, number, content] = form.exec(line) ?? []
    if (number !== undefined) shown.set(Number(number), content as string)
  }
  return shown
}

/** Line numbers in ranges, in order. */
export function numbersIn(ranges: readonly { start: number; end: number }[]): number[] {
  return ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, i) => start + i))
}
