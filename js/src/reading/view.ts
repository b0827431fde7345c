import type { OutlineSection } from '../outline/types.js'
import type { Fallback } from './curate.js'
import { countLines, type LineRange, mergeRanges } from './line-ranges.js'
import type { NotIndexed } from './read-index.js'
import { percentage, renderView, type ViewLabel } from './render.js'

/** A file as it is shown, and the facts of it. Plain JSON. */
export interface FileView {
  path: string
  /** How it is shown, as the header says. */
  mode: ViewLabel
  /** What the model reads: header and numbered lines. */
  text: string
  totalLines: number
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
  ranges: readonly LineRange[]
  sections: OutlineSection[]
  curatedBy: FileView['curatedBy']
  isByConversation: boolean
}

export function viewOf({
  path,
  mode,
  lines,
  sections,
  curatedBy,
  isByConversation,
  ...rest
}: ViewOf): FileView {
  const ranges = mergeRanges(rest.ranges)
  const preservedLines = countLines(ranges)
  return {
    path,
    mode,
    text: renderView({ path, label: mode, lines, ranges, isByConversation }),
    totalLines: lines.length,
    preservedLines,
    preservedPercentage: Number(percentage(preservedLines, lines.length)),
    ranges,
    sections,
    curatedBy,
    cached: false,
    milliseconds: 0,
  }
}

/** All of a file. */
export function fullView(path: string, lines: readonly string[]): FileView {
  const ranges = lines.length === 0 ? [] : [{ start: 1, end: lines.length }]
  return viewOf({ path, mode: 'full', lines, ranges, sections: [], curatedBy: null, isByConversation: false })
}
