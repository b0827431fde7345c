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

/** Returns the first `count` lines of the ranges, in the order of the ranges. */
export function firstLines(ranges: readonly LineRange[], count: number): LineRange[] {
  const first: LineRange[] = []
  let left = count
  for (const range of ranges) {
    if (left <= 0) break
    first.push({ ...range, end: Math.min(range.end, range.start + left - 1) })
    left -= range.end - range.start + 1
  }
  return first
}

/** Returns the first line of merged ranges that is not in `kept`, which are merged too and a part of them. */
export function firstMissing(ranges: readonly LineRange[], kept: readonly LineRange[]): number | undefined {
  const at = ranges.findIndex(({ start, end }, i) => kept[i]?.start !== start || kept[i]?.end !== end)
  const [range, part] = [ranges[at], kept[at]]
  return range === undefined || part?.start !== range.start ? range?.start : part.end + 1
}
