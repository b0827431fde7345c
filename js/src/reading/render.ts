import type { Decoded } from '../base/content.js'
import { counted, oneLine, shortened, wellFormed } from '../base/text.js'
import { MAX_LINE_LENGTH } from '../generated/protocol.js'
import { definitionCounter, type Signature } from './folds.js'
import { countLines, type LineRange } from './line-ranges.js'

/** Mode of a view, as its header names it. */
export type ViewLabel = 'full' | 'curated' | 'structure'

export interface Rendering {
  path: string
  label: ViewLabel
  lines: readonly string[]
  /** Ranges shown, merged. */
  ranges: readonly LineRange[]
  /** Whether the lines were chosen by a conversation. */
  isByConversation: boolean
  /** Encoding in which bytes of the shown lines are invalid. */
  malformed: Decoded['malformed']
  /** Definitions that are counted if they are left out. */
  signatures: readonly Signature[]
  /** First line that did not fit, and the maximum number of lines that a read from there may show: 0 for none. */
  cut?: { line: number; limit: number } | undefined
}

/** Maximum UTF-16 units of a reason: it is the model's text, of any length. */
const MAX_REASON = 200

/** Formats a view of a file as document "Unified read_file" specifies. */
export function renderView(rendering: Rendering): string {
  const { path, label, lines, ranges, isByConversation, malformed } = rendering
  const shown = countLines(ranges)
  const percent = percentage(lines, ranges)
  const head = [
    `File: ${path} (${label})`,
    `Total lines: ${lines.length} | Preserved: ${shown} (${percent}%)`,
    '',
    ...(malformed === undefined ? [] : [malformedNotice(malformed)]),
  ]
  const body = bodyOf(rendering)
  if (label !== 'curated') return wellFormed([...head, ...body].join('\n'))
  const sections = ranges.filter(({ reason }) => reason !== undefined).length || ranges.length
  const title = `**Curated view** (showing ${sections} relevant sections from ${lines.length} total lines)`
  const foot = isByConversation ? ['', `*Preserved ${percent}% of file based on conversation context*`] : []
  return wellFormed([...head, title, '', ...body, ...foot].join('\n'))
}

/** The same notice as in `formatRead` (`src/reading/notice.rs`). */
export const malformedNotice = (encoding: NonNullable<Decoded['malformed']>) =>
  `[Bytes that are not valid ${encoding} are shown as U+FFFD]`

/** Share of a file that is shown, in percent, with one decimal: `11.7`. A clipped line counts in part. */
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

function bodyOf({ lines, ranges, signatures, cut: end }: Rendering): string[] {
  const body: string[] = []
  let next = 1
  const definitionsIn = definitionCounter(signatures)
  /** Folds the lines up to `last`, and counts the definitions in them. */
  const fold = (last: number) => {
    const definitions = definitionsIn(next, last)
    if (definitions > 0) {
      body.push(`... ${counted(definitions, 'definition')}, ${linesFrom(next, last)}`)
    } else if (!saysNothing(lines, next, last)) body.push('...')
  }
  for (const { start, end: last, reason } of ranges) {
    fold(start - 1)
    if (reason !== undefined) body.push(`Lines ${start}-${last}: ${shortened(oneLine(reason), MAX_REASON)}`)
    for (let number = start; number <= last; number++) {
      body.push(`${String(number).padStart(4)} | ${clippedLine(lines, number)}`)
    }
    next = last + 1
  }
  fold(lines.length)
  if (end !== undefined) {
    const advice = end.limit === 0 ? '' : `: read on with offset=${end.line}, limit=${end.limit}`
    // What is more important is shown also behind it.
    const lines = next > end.line ? 'Other lines' : 'Lines'
    body.push(`[${lines} from ${end.line} on do not fit${advice}]`)
  }
  return body
}

const linesFrom = (first: number, last: number) =>
  first === last ? `line ${first}` : `lines ${first}-${last}`

/** Returns a line as it is shown: unchanged, or the start of a very long one with a notice of where to continue. */
export function clippedLine(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? ''
  if (line.length <= MAX_LINE_LENGTH) return line
  const { units, characters } = measured(line)
  if (characters <= MAX_LINE_LENGTH) return line
  const column = MAX_LINE_LENGTH + 1
  return `${line.slice(0, units)} ... [line of ${characters} chars: read on with offset=${number}, limit=1, column=${column}]`
}

/** Number of characters of a long line, and UTF-16 units of the shown part. */
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

/** Whether a fold has only blanks and closing brackets: it needs no notice, since the line numbers show the gap. */
function saysNothing(lines: readonly string[], start: number, end: number): boolean {
  for (let number = start; number <= end; number++) {
    const line = lines[number - 1] ?? ''
    if (line.length > MAX_LINE_LENGTH || !/^[\s})\],;]*(?:end)?\s*$/.test(line)) return false
  }
  return true
}
