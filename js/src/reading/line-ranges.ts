/** A range of lines, and why it is shown. */
export interface LineRange {
  /** First line, from 1. */
  start: number
  /** Last line, inclusive. */
  end: number
  /** Reason for showing the range, in the words of whoever chose it. */
  reason?: string
}

/** Sorts ranges and merges those that overlap or touch. Their reasons are joined. */
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

/** Length in UTF-16 units beyond which no further reason is joined. */
const MOST_JOINED = 400

function joined(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second
  // Only the start of a reason is shown, so a long one needs no further comparison.
  if (first.length > MOST_JOINED || first.split('; ').includes(second)) return first
  return `${first}; ${second}`
}

/** Number of lines in the ranges, which must not overlap. */
export function countLines(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
}
