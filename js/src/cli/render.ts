import { groups } from '../base/text.js'
import { clip, displayWidth, pad } from './text.js'

/** Terminal for tables and bars: its width in columns, and whether it shows colour. */
export interface Screen {
  width: number
  colour: boolean
}

/** A column of a table, whose rows are the entries of a list. */
export interface Column<T> {
  cell(entry: T): Cell
  /** Absent for a column without a heading (a bar). */
  title?: string
  align?: 'left' | 'right'
  /** Takes the remaining width, and is clipped to it. */
  flexible?: boolean
  /** Last column only: wraps onto further lines what does not fit. */
  wrap?: boolean
  style?: Style
}

/** A column of numbers. */
export function right<T>(title: string, cell: (entry: T) => Cell): Column<T> {
  return { title, align: 'right', cell }
}

export type Cell =
  | string
  /** `keep` says which side survives clipping: the start (of a command), the end (of a path) or both (of a name). */
  | { text: string; keep: 'start' | 'end' | 'ends' }
  /** Bar that fills the width available; `track` also draws its empty part. */
  | { part: number; whole: number; track?: boolean }

export type Style = 'bold' | 'dim' | 'cyan' | 'yellow'

const CODES: Record<Style, string> = { bold: '1', dim: '2', cyan: '36', yellow: '33' }
const MIN_WIDTH = 60
const MAX_WIDTH = 100
const DEFAULT_WIDTH = 80
const MIN_BAR = 8
const MAX_BAR = 40
const MIN_FLEXIBLE = 8
const INDENT = '  '
const GAP = '  '
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function screenOf(
  stream: { isTTY?: boolean; columns?: number },
  env: Record<string, string | undefined>,
): Screen {
  const isTerminal = stream.isTTY === true
  const columns = isTerminal ? (stream.columns ?? DEFAULT_WIDTH) : DEFAULT_WIDTH
  return {
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns)),
    colour: isTerminal && !env.NO_COLOR && env.TERM !== 'dumb',
  }
}

/** The output of a command: a result as JSON, or as text for the terminal. */
export function printed<T extends object>(
  json: boolean,
  result: T,
  text: (result: T, screen: Screen) => string,
): { stdout: string } {
  if (json) return { stdout: `${JSON.stringify(result, null, 2)}\n` }
  return { stdout: text(result, screenOf(process.stdout, process.env)) }
}

export function paint(text: string, style: Style | undefined, screen: Screen): string {
  return screen.colour && style !== undefined && text !== ''
    ? `\u001b[${CODES[style]}m${text}\u001b[0m`
    : text
}

/** Lines below a heading; none if there are no lines. */
export function section(title: string, lines: readonly string[], screen: Screen): string[] {
  return lines.length === 0 ? [] : [paint(title, 'bold', screen), ...lines]
}

/** Joins sections with blank lines between them. Empty sections are left out. */
export function inSections(sections: readonly (readonly string[])[]): string {
  const texts = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${texts.join('\n\n')}\n`
}

/** Lines of a table, with the headings first if any column has one; none if there are no entries. */
export function table<T>(columns: readonly Column<T>[], entries: readonly T[], screen: Screen): string[] {
  if (entries.length === 0) return []
  const rows = entries.map((entry) => columns.map((column) => column.cell(entry)))
  const titles = columns.map((column) => column.title ?? '')
  const hasTitles = titles.some((title) => title !== '')
  const widths = columnWidths(columns, [titles, ...rows], screen)
  const line = (cells: readonly Cell[], style?: Style): string => {
    const shown = columns.map((column, index) => {
      const width = widths[index] ?? 0
      const text = pad(cellText(cells[index] ?? '', width), width, column.align ?? 'left')
      return text.trim() === '' ? text : paint(text, style ?? column.style, screen)
    })
    return (INDENT + shown.join(GAP)).trimEnd()
  }
  const lines = rows.flatMap((row) => inLines(row, columns, widths).map((cells) => line(cells)))
  return [...(hasTitles ? [line(titles, 'dim')] : []), ...lines]
}

/** A table of the first `most` entries, and a line with the number of the others. */
export function listing<T>(
  columns: readonly Column<T>[],
  entries: readonly T[],
  most: number,
  screen: Screen,
): string[] {
  const left = entries.length - most
  const others = left > 0 ? [paint(`${INDENT}and ${groups(left)} more`, 'dim', screen)] : []
  return [...table(columns, entries.slice(0, most), screen), ...others]
}

/** Splits a row into lines: its last cell continues on the following ones. */
function inLines(
  row: readonly Cell[],
  columns: readonly Column<never>[],
  widths: readonly number[],
): (readonly Cell[])[] {
  const last = row.at(-1)
  if (columns.at(-1)?.wrap !== true || typeof last !== 'string') return [row]
  const [first = '', ...rest] = wrapped(last, widths.at(-1) ?? 0)
  return [[...row.slice(0, -1), first], ...rest.map((text) => [...row.slice(0, -1).map(() => ''), text])]
}

function cellText(cell: Cell, width: number): string {
  if (typeof cell === 'string') return clip(cell, width, 'start')
  if ('text' in cell) return clip(cell.text, width, cell.keep)
  const filled = bar(cell.part, cell.whole, width)
  return cell.track === true ? filled + '░'.repeat(Math.max(0, width - filled.length)) : filled
}

function naturalWidth(cell: Cell): number {
  if (typeof cell === 'string') return displayWidth(cell)
  return 'text' in cell ? displayWidth(cell.text) : MIN_BAR
}

/** Widths of the columns. Flexible columns shrink if there is too little room; bars grow if there is more. */
function columnWidths(
  columns: readonly Column<never>[],
  rows: readonly (readonly Cell[])[],
  screen: Screen,
): number[] {
  const natural = columns.map((_, index) => Math.max(...rows.map((row) => naturalWidth(row[index] ?? ''))))
  const total =
    INDENT.length + natural.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1)
  const room = screen.width - total
  return natural.map((width, index) => {
    if (rows.some((row) => isBar(row[index]))) return Math.min(MAX_BAR, width + Math.max(0, room))
    return columns[index]?.flexible === true && room < 0 ? Math.max(MIN_FLEXIBLE, width + room) : width
  })
}

function isBar(cell: Cell | undefined): boolean {
  return typeof cell === 'object' && 'part' in cell
}

/** Draws `part` of `whole` in eighths of a column; `width` columns if they are equal. */
function bar(part: number, whole: number, width: number): string {
  const eighths = whole <= 0 ? 0 : Math.round((8 * width * Math.min(part, whole)) / whole)
  // A value above 0 is always visible.
  const shown = part > 0 ? Math.max(1, eighths) : 0
  return '█'.repeat(shown >> 3) + (EIGHTHS[shown & 7] ?? '')
}

/** Wraps a text to the screen's width, indented. */
export function paragraph(text: string, screen: Screen): string[] {
  return wrapped(text, screen.width - INDENT.length).map((line) => INDENT + line)
}

/** Wraps a text to at most `width` columns, between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
