import { oneLine } from '../base/text.js'
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
}

/** The most characters that are shown of a line, as in `formatRead`. */
const MAX_LINE_LENGTH = 2000

/** The view of a file as document "Unified read_file" writes it. */
export function renderView({ path, label, lines, ranges, isByConversation }: Rendering): string {
  const shown = countLines(ranges)
  const percent = percentage(shown, lines.length)
  const head = [
    `File: ${path} (${label})`,
    `Total lines: ${lines.length} | Preserved: ${shown} (${percent}%)`,
    '',
  ]
  const body = bodyOf(lines, ranges)
  if (label !== 'curated') return [...head, ...body].join('\n')
  const sections = ranges.filter(({ reason }) => reason !== undefined).length || ranges.length
  const title = `**Curated view** (showing ${sections} relevant sections from ${lines.length} total lines)`
  const foot = isByConversation ? ['', `*Preserved ${percent}% of file based on conversation context*`] : []
  return [...head, title, '', ...body, ...foot].join('\n')
}

/** How much of a file is shown, with one digit behind the point: `11.7`. */
export function percentage(shown: number, total: number): string {
  return (total === 0 ? 100 : (shown / total) * 100).toFixed(1)
}

function bodyOf(lines: readonly string[], ranges: readonly LineRange[]): string[] {
  const body: string[] = []
  let next = 1
  for (const { start, end, reason } of ranges) {
    if (!saysNothing(lines, next, start - 1)) body.push('...')
    if (reason !== undefined) body.push(`Lines ${start}-${end}: ${oneLine(reason)}`)
    for (let number = start; number <= end; number++) {
      body.push(`${String(number).padStart(4)} | ${clippedLine(lines, number)}`)
    }
    next = end + 1
  }
  if (!saysNothing(lines, next, lines.length)) body.push('...')
  return body
}

/** A line as it is shown: as it is, or of a very long one the beginning, and where to read on. */
export function clippedLine(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? ''
  if (line.length <= MAX_LINE_LENGTH) return line
  const characters = Array.from(line)
  if (characters.length <= MAX_LINE_LENGTH) return line
  const start = characters.slice(0, MAX_LINE_LENGTH).join('')
  const column = MAX_LINE_LENGTH + 1
  return `${start} ... [line of ${characters.length} chars: read on with offset=${number}, limit=1, column=${column}]`
}

/** A fold of nothing but blanks and closing brackets is not worth a line; the numbers tell of it. */
function saysNothing(lines: readonly string[], start: number, end: number): boolean {
  return lines.slice(start - 1, end).every((line) => /^[\s})\],;]*(?:end)?\s*$/.test(line))
}
