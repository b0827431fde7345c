import { largest } from '../base/largest.js'
import type { TextCounter } from '../base/text-counter.js'
import type { OutlineSection } from '../outline/types.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'
import type { Fallback } from './curate.js'
import { type Signature, signaturesOf } from './folds.js'
import { countLines, firstLines, firstMissing, type LineRange, mergeRanges } from './line-ranges.js'
import type { FileOfLines } from './lines.js'
import type { NotIndexed } from './read-index.js'
import { clippedLine, malformedNotice, percentage, renderView, type ViewLabel } from './render.js'

/** A file as it is shown, with its facts. Plain JSON. */
export interface FileView {
  path: string
  /** The mode, as in the header. */
  mode: ViewLabel
  /** Text for the model: header and numbered lines. */
  text: string
  totalLines: number
  /**
   * Whether shown lines contain bytes that are invalid in the file's encoding, or lone surrogates of a string; they are
   * shown as U+FFFD.
   */
  malformed: boolean
  /** Number of lines shown, and their share of the file in percent, with one decimal. */
  preservedLines: number
  preservedPercentage: number
  /** Ranges of lines shown, in the order of the file. */
  ranges: LineRange[]
  /** Sections of the file, shown or folded, for `expand`. Empty if the file is shown in full. */
  sections: OutlineSection[]
  /** What chose the lines; `null` if all are shown. */
  curatedBy: 'model' | 'outline' | null
  /** The model's summary of its choice. */
  summary?: string
  /** The model's thinking. */
  thinking?: string
  /** Why the view is not the model's choice, or not curated. */
  fallback?: Fallback
  /** With an index: why the file was not added. */
  notIndexed?: NotIndexed
  /** Whether the view came from the cache. */
  cached: boolean
  /** Time taken. */
  milliseconds: number
}

/** The lines of a file that a view shows, the most important ones first, and what chose them. */
interface Choice extends Pick<FileView, 'mode' | 'ranges' | 'sections' | 'curatedBy'> {
  isByConversation?: boolean
  /** Maximum tokens of the whole view. Default: no limit. */
  maxTokens?: number
  /** Default: the estimate. */
  counter?: TextCounter | undefined
}

interface Shown extends Choice {
  signatures: readonly Signature[]
}

/** Builds a view of the given lines; only the most important ones if all would exceed the token limit. */
export function viewOf(file: FileOfLines, choice: Choice): FileView {
  const ranges = mergeRanges(choice.ranges)
  const { maxTokens = Number.POSITIVE_INFINITY, counter = estimateByBytes } = choice
  // A model's choice is formatted as the document specifies: without counts.
  const signatures = choice.curatedBy === 'model' ? [] : signaturesOf(choice.sections, file.lines)
  const shown = { ...choice, ranges, signatures }
  const whole = shownAs(file, shown)
  // Nothing is left to cut if no line is chosen.
  if (ranges.length === 0 || maxTokens === Number.POSITIVE_INFINITY) return whole
  const fits = (text: string) => counter(text) <= maxTokens
  if (fits(whole.text)) return whole
  // As many lines as fit, and a notice of where to continue.
  const upTo = (count: number, limitFrom: (line: number) => number) => {
    const kept = mergeRanges(firstLines(choice.ranges, count))
    const line = firstMissing(ranges, kept)
    const cut = line === undefined ? undefined : { line, limit: limitFrom(line) }
    return shownAs(file, { ...shown, ranges: kept }, cut)
  }
  const count = largest(0, countLines(choice.ranges), (count) => fits(upTo(count, () => MOST_LINES).text))
  return upTo(count, (line) => linesThatFit(file, line, fits))
}

/**
 * Number of lines that a read may show from a line on: at least one, which has its own notice if it is cut; 0 if the
 * path leaves no room for any.
 */
function linesThatFit({ path, lines }: FileOfLines, from: number, fits: (text: string) => boolean): number {
  // As the read shows them, with all notices that it may have.
  const total = lines.length
  const showing = `[Showing lines ${from}-${total} of ${total} total lines]`
  const head = [`=== ${path} ===`, showing, malformedNotice('UTF-16')].join('\n')
  const numbered = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `${String(from + i).padStart(6)}\t${clippedLine(lines, from + i)}`,
    )
  const length = lines[from - 1]?.length ?? 0
  const places = `[Line ${from} is shown from column ${length} of ${length}]`
  const rest = `x ... [line of ${length} chars: read on with offset=${from}, limit=1, column=${length}]`
  const least = [head, places, `${String(from).padStart(6)}\t${rest}`].join('\n')
  if (!fits([head, ...numbered(1)].join('\n')) && !fits(least)) return 0
  const most = Math.min(MOST_LINES, total - from + 1)
  return largest(1, most + 1, (count) => fits([head, ...numbered(count)].join('\n')))
}

/** The same number as in the hints of refused reads. */
const MOST_LINES = 100

function shownAs(
  { path, lines, malformed }: FileOfLines,
  { mode, ranges, sections, signatures, curatedBy, isByConversation = false }: Shown,
  cut?: { line: number; limit: number },
): FileView {
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
      signatures,
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

/** Builds a view of a whole file. */
export function fullView(file: FileOfLines): FileView {
  const ranges = file.lines.length === 0 ? [] : [{ start: 1, end: file.lines.length }]
  return viewOf(file, { mode: 'full', ranges, sections: [], curatedBy: null })
}

const isDamaged = (lines: readonly string[]) => lines.some((line) => line.includes('\ufffd'))
