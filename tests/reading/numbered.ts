import { formatRead } from 'trimtab/files'

/** The lines of a file by their numbers, as the read tool counts them: code of its own, in another language. */
export function linesByNumber(content: string | Uint8Array): Map<number, string> {
  return numbered(formatRead({ path: 'x', content, maxLineLength: 1_000_000 }).text, /^ *(\d+)\t(.*)$/s)
}

/** The lines that a view shows, by their numbers. */
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

/** The numbers in ranges, in their order. */
export function numbersIn(ranges: readonly { start: number; end: number }[]): number[] {
  return ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, i) => start + i))
}
