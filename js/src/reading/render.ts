import type { Decoded } from '../base/content.js'
import { cut, oneLine } from '../base/text.js'
import type { OutlineSection } from '../outline/types.js'
import { countLines, type LineRange } from './line-ranges.js'

/** How a file was shown, as the view's header says it. */
export type ViewLabel = 'full' | 'curated' | 'structure'

export interface Rendering {
  path: string
  label: ViewLabel
  lines: readonly string[]
  /** What is shown: merged ranges. */
  ranges: readonly LineRange[]
  /** Whether a conversation said what is shown. */
  isByConversation: boolean
  /** The encoding in which bytes of the shown lines are not valid. */
  malformed: Decoded['malformed']
  /** What is counted where it is left out. */
  sections: readonly OutlineSection[]
  /** From this line on nothing is shown because it does not fit: how many lines a read from there may show. */
  cut?: { line: number; limit: number } | undefined
}

/** The most characters that are shown of a line, as in `formatRead`. */
const MAX_LINE_LENGTH = 2000
/** The most UTF-16 units of a reason: it is the model's, and says what it likes. */
const MAX_REASON = 200

/** The view of a file as document "Unified read_file" writes it. */
export function renderView(rendering: Rendering): string {
  const { path, label, lines, ranges, isByConversation, malformed } = rendering
  const shown = countLines(ranges)
  const percent = percentage(lines, ranges)
  const head = [
    `File: ${path} (${label})`,
    `Total lines: ${lines.length} | Preserved: ${shown} (${percent}%)`,
    '',
    // As `formatRead` says it.
    ...(malformed === undefined ? [] : [`[Bytes that are not valid ${malformed} are shown as U+FFFD]`]),
  ]
  const body = bodyOf(rendering)
  if (label !== 'curated') return [...head, ...body].join('\n')
  const sections = ranges.filter(({ reason }) => reason !== undefined).length || ranges.length
  const title = `**Curated view** (showing ${sections} relevant sections from ${lines.length} total lines)`
  const foot = isByConversation ? ['', `*Preserved ${percent}% of file based on conversation context*`] : []
  return [...head, title, '', ...body, ...foot].join('\n')
}

/** How much of a file is shown, with one digit behind the point: `11.7`. A line that is cut counts as far as it is shown. */
export function percentage(lines: readonly string[], ranges: readonly LineRange[]): string {
  let shown = 0
  for (const { start, end } of ranges) {
    for (let number = start; number <= end; number++) {
      const length = lines[number - 1]?.length ?? 0
      shown += length <= MAX_LINE_LENGTH ? 1 : MAX_LINE_LENGTH / length
    }
  }
  return (lines.length === 0 ? 100 : (shown / lines.length) * 100).toFixed(1)
}

function bodyOf({ lines, ranges, sections, cut: end }: Rendering): string[] {
  const body: string[] = []
  let next = 1
  let section = 0
  /** The lines up to one that are left out, and what begins in them. */
  const fold = (last: number) => {
    let definitions = 0
    let inside = 0
    for (; section < sections.length; section++) {
      const { startLine, endLine } = sections[section] as OutlineSection
      if (startLine > last) break
      // What stands in a section that is left out is left out with it.
      if (startLine < next || startLine <= inside) continue
      definitions++
      inside = endLine
    }
    if (definitions > 0) {
      const plural = definitions === 1 ? '' : 's'
      body.push(`... ${definitions} definition${plural}, ${linesFrom(next, last)}`)
    } else if (!saysNothing(lines, next, last)) body.push('...')
  }
  for (const { start, end: last, reason } of ranges) {
    fold(start - 1)
    if (reason !== undefined) body.push(`Lines ${start}-${last}: ${clippedReason(reason)}`)
    for (let number = start; number <= last; number++) {
      body.push(`${String(number).padStart(4)} | ${clippedLine(lines, number)}`)
    }
    next = last + 1
  }
  fold(lines.length)
  if (end !== undefined) {
    body.push(`[Lines from ${end.line} on do not fit: read on with offset=${end.line}, limit=${end.limit}]`)
  }
  return body
}

const linesFrom = (first: number, last: number) =>
  first === last ? `line ${first}` : `lines ${first}-${last}`

function clippedReason(reason: string): string {
  const text = oneLine(reason)
  return text.length <= MAX_REASON ? text : `${cut(text, MAX_REASON)}…`
}

/** A line as it is shown: as it is, or of a very long one the beginning, and where to read on. */
export function clippedLine(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? ''
  if (line.length <= MAX_LINE_LENGTH) return line
  const { units, characters } = measured(line)
  if (characters <= MAX_LINE_LENGTH) return line
  const column = MAX_LINE_LENGTH + 1
  return `${line.slice(0, units)} ... [line of ${characters} chars: read on with offset=${number}, limit=1, column=${column}]`
}

/** The characters of a long line, and the UTF-16 units of those that are shown. */
function measured(line: string): { units: number; characters: number } {
  let characters = 0
  let units = line.length
  for (let at = 0; at < line.length; at++, characters++) {
    if (characters === MAX_LINE_LENGTH) units = at
    const unit = line.charCodeAt(at)
    const next = unit >= 0xd800 && unit < 0xdc00 ? line.charCodeAt(at + 1) : 0
    if (next >= 0xdc00 && next < 0xe000) at++
  }
  return { units, characters }
}

/** A fold of nothing but blanks and closing brackets is not worth a line; the numbers tell of it. */
function saysNothing(lines: readonly string[], start: number, end: number): boolean {
  for (let number = start; number <= end; number++) {
    const line = lines[number - 1] ?? ''
    if (line.length > MAX_LINE_LENGTH || !/^[\s})\],;]*(?:end)?\s*$/.test(line)) return false
  }
  return true
}
