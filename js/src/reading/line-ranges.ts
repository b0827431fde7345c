/** Lines that follow each other, and why they are shown. */
export interface LineRange {
  /** The first line, from 1. */
  start: number
  /** The last line, itself included. */
  end: number
  /** Why it is shown, in the words of who chose it. */
  reason?: string
}

/** Ranges in the order of the file, those that overlap or touch made one. Their reasons are joined. */
export function mergeRanges(ranges: readonly LineRange[]): LineRange[] {
  const merged: LineRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = merged.at(-1)
    if (last === undefined || range.start > last.end + 1) {
      merged.push({ ...range })
      continue
    }
    last.end = Math.max(last.end, range.end)
    const reason = joined(last.reason, range.reason)
    if (reason !== undefined) last.reason = reason
  }
  return merged
}

/** UTF-16 units of reasons that are joined. */
const MOST_JOINED = 400

function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second
  // A reason is shown in part only: what is behind that is not worth comparing.
  if (first.length > MOST_JOINED || first.split('; ').includes(second)) return first
  return `${first}; ${second}`
}

/** How many lines the ranges hold, which do not overlap. */
export function countLines(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
}
