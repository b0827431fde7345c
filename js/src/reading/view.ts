import type { Decoded } from '../base/content.js'
import type { OutlineSection } from '../outline/types.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import type { Fallback } from './curate.js'
import { estimateLines } from './estimate.js'
import { countLines, type LineRange, mergeRanges } from './line-ranges.js'
import type { NotIndexed } from './read-index.js'
import { clippedLine, percentage, renderView, type ViewLabel } from './render.js'

/** A file as it is shown, and the facts of it. Plain JSON. */
export interface FileView {
  path: string
  /** How it is shown, as the header says. */
  mode: ViewLabel
  /** What the model reads: header and numbered lines. */
  text: string
  totalLines: number
  /** Whether bytes of the shown lines are not valid in the file's encoding, and shown as U+FFFD. */
  malformed: boolean
  /** How many of them are shown, and how much of the file that is, in per cent with one digit. */
  preservedLines: number
  preservedPercentage: number
  /** Which lines are shown, in the order of the file. */
  ranges: LineRange[]
  /** What the file consists of, shown or folded: what `expand` takes. Empty where the file is shown in full. */
  sections: OutlineSection[]
  /** Who chose the lines; `null` where all are shown. */
  curatedBy: 'model' | 'outline' | null
  /** What the model says of its choice. */
  summary?: string
  /** What the model thought before it chose. */
  thinking?: string
  /** Why the model's choice is not what is shown. */
  fallback?: Fallback
  /** With an index: why the file is not in it. */
  notIndexed?: NotIndexed
  /** Whether it was made before, for the same content and question. */
  cached: boolean
  /** How long it took. */
  milliseconds: number
}

/** What a view is made of. */
export interface ViewOf {
  path: string
  mode: ViewLabel
  lines: readonly string[]
  malformed: Decoded['malformed']
  ranges: readonly LineRange[]
  sections: OutlineSection[]
  curatedBy: FileView['curatedBy']
  isByConversation: boolean
  /** What the whole view may take. Default: any. */
  maxTokens?: number
}

/** The view of some lines of a file: of the first of them where all would take too much. */
export function viewOf(view: ViewOf): FileView {
  const ranges = mergeRanges(view.ranges)
  const { maxTokens = Number.POSITIVE_INFINITY } = view
  const whole = shownAs(view, ranges, undefined)
  if (estimateByBytes(whole.text) <= maxTokens) return whole
  // The most lines that fit, and where to read on.
  const lines = ranges.flatMap(({ start, end }) =>
    Array.from({ length: end - start + 1 }, (_, i) => start + i),
  )
  const upTo = (count: number) => {
    const line = lines[count] as number
    const limit = linesThatFit(view.lines, line, maxTokens - NOTICES)
    return shownAs(view, before(ranges, line), { line, limit })
  }
  let [fits, tooMany] = [0, lines.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (estimateByBytes(upTo(middle).text) <= maxTokens) fits = middle
    else tooMany = middle
  }
  return upTo(fits)
}

/** Tokens of a read's header and notices. */
const NOTICES = 100

function before(ranges: readonly LineRange[], line: number): LineRange[] {
  return ranges
    .filter(({ start }) => start < line)
    .map((range) => ({ ...range, end: Math.min(range.end, line - 1) }))
}

/** How many lines a read from one on may show; at least that one, which says itself where it is cut. */
function linesThatFit(lines: readonly string[], from: number, maxTokens: number): number {
  let left = maxTokens
  let number = from
  for (; number <= lines.length && number - from < MOST_LINES; number++) {
    left -= estimateLines([clippedLine(lines, number)])
    if (left < 0) break
  }
  return Math.max(number - from, 1)
}

/** As in the hints of reads that were refused. */
const MOST_LINES = 100

function shownAs(
  view: ViewOf,
  ranges: LineRange[],
  cut: { line: number; limit: number } | undefined,
): FileView {
  const { path, mode, lines, malformed, sections, curatedBy, isByConversation } = view
  const isMalformed =
    malformed !== undefined && ranges.some(({ start, end }) => isDamaged(lines.slice(start - 1, end)))
  const preservedLines = countLines(ranges)
  return {
    path,
    mode,
    text: renderView({
      path,
      label: mode,
      lines,
      ranges,
      isByConversation,
      malformed: isMalformed ? malformed : undefined,
      // A model's choice is shown as the document writes it.
      sections: curatedBy === 'model' ? [] : sections,
      cut,
    }),
    totalLines: lines.length,
    malformed: isMalformed,
    preservedLines,
    preservedPercentage: Number(percentage(lines, ranges)),
    ranges,
    sections,
    curatedBy,
    cached: false,
    milliseconds: 0,
  }
}

/** All of a file. */
export function fullView({ path, lines, malformed }: Pick<ViewOf, 'path' | 'lines' | 'malformed'>): FileView {
  const ranges = lines.length === 0 ? [] : [{ start: 1, end: lines.length }]
  return viewOf({
    path,
    mode: 'full',
    lines,
    malformed,
    ranges,
    sections: [],
    curatedBy: null,
    isByConversation: false,
  })
}

const isDamaged = (lines: readonly string[]) => lines.some((line) => line.includes('\ufffd'))
