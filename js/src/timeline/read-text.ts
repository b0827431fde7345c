import type { JsonRecord } from '../base/json.js'
import { LINE_ARGUMENTS } from '../generated/arguments.js'
import { isDressed } from './dressing.js'
import { normalPath } from './normal-path.js'
import { asksForOther } from './read-arguments.js'

/** Consecutive lines of a file. */
export interface Fragment {
  /** Number of the first line, from 1. */
  start: number
  lines: string[]
}

/** Content of a file in a read's result. */
export interface ReadContent {
  fragments: Fragment[]
  /** Whether the single fragment is the whole file. */
  isWhole: boolean
  /** Whether the last line has a line end; `null` if the result does not show it. */
  finalLineEnd: boolean | null
}

/** Lines that a read requested; `null` for all, or up to the end. */
export interface Asked {
  path: string
  startLine: number | null
  endLine: number | null
  /** Arguments of the call: they may ask for lines in a way that says not which. */
  args?: JsonRecord | string
  /** Whether the call named other files too. */
  isOneOfSeveral?: boolean
}

/**
 * Extracts a file's lines from the result of a read: numbered in the form of this package's tools, of `cat -n` or of
 * well-known agents, or unnumbered. Returns `undefined` if they cannot be determined with certainty.
 */
export function parseRead(result: ReadResult, asked: Asked): ReadContent | undefined {
  const { text } = result
  const { views, sections } = partsOf(result)
  if (views !== undefined) return viewed(views.get(asked.path))
  if (asksForOther(asked.args ?? '')) return undefined
  const section = sections === undefined ? text : sections.get(asked.path)
  if (section === undefined || section === SEVERAL) return undefined
  // Without a header of a known form, it is open which lines are those of which file.
  if (sections === undefined && asked.isOneOfSeveral) return undefined
  if (/^\[File is empty/.test(section)) return { fragments: [], isWhole: true, finalLineEnd: false }
  const runs = numberedRuns(section.split('\n'))
  if (runs !== undefined) return numbered(runs, asked)
  if (isOpen(asked)) return undefined
  return sections === undefined && !isDressed(text, asked.path) ? raw(text, asked) : undefined
}

/** The result of a read. */
interface ReadResult {
  text: string
}

/** The parts of a result by the path of their file; absent without headers of that form. */
interface Parts {
  views?: ReadonlyMap<string, string | typeof SEVERAL>
  sections?: ReadonlyMap<string, string | typeof SEVERAL>
}

/** In place of a part: its file has several, of which none is the file. */
const SEVERAL = Symbol()

/** A read of many files is taken apart once, whatever their number. */
const partsByResult = new WeakMap<ReadResult, Parts>()

function partsOf(result: ReadResult): Parts {
  const known = partsByResult.get(result)
  if (known !== undefined) return known
  const views = viewsIn(result.text)
  const sections = views === undefined ? sectionsIn(result.text) : undefined
  const parts: Parts = { ...(views && { views }), ...(sections && { sections }) }
  partsByResult.set(result, parts)
  return parts
}

function byPath(parts: Iterable<readonly [path: string, text: string]>) {
  const found = new Map<string, string | typeof SEVERAL>()
  for (const [path, text] of parts) found.set(path, found.has(path) ? SEVERAL : text)
  return found
}

/** Header of a view of `trimtab/reading`. Only a line feed ends a line: `^` and `.` would also stop at other characters. */
const VIEW =
  /(?<![^\n])File: ([^\n]+) \((full|curated|structure)\)\nTotal lines: \d+ \| Preserved: \d+ \([\d.]+%\)(?![^\n])/

/** Returns the views that a result consists of; `undefined` if it does not begin with one. */
function viewsIn(text: string) {
  if (text.search(VIEW) !== 0) return undefined
  // A view has no unnumbered lines of the file, so a line that looks like a header is one.
  const views = text.split(/(?<![^\n])(?=File: [^\n]+ \((?:full|curated|structure)\)\n)/)
  return byPath(views.map((view) => [normalPath(VIEW.exec(view)?.[1] ?? ''), view]))
}

/** Extracts the lines of a file from its view. Only numbered lines are lines of the file. */
function viewed(view: string | typeof SEVERAL | undefined): ReadContent | undefined {
  if (view === undefined || view === SEVERAL) return undefined
  const runs: Runs = { fragments: [], total: undefined, isCut: false }
  for (const line of view.split('\n')) {
    const [, number, content] = /^ *(\d+) \| (.*)$/s.exec(line) ?? []
    if (number !== undefined && !addLine(runs, Number(number), content as string)) return undefined
  }
  const fragments = runs.fragments.filter(({ lines }) => lines.length > 0)
  const isWhole = VIEW.exec(view)?.[2] === 'full' && !runs.isCut && fragments.length === 1
  return { fragments, isWhole, finalLineEnd: null }
}

const HEADER = /^=== (.+) ===$/

/** Returns the sections of a result of several files, without their headers; `undefined` if it has no headers. */
function sectionsIn(text: string) {
  const lines = text.split('\n')
  if (!lines.slice(0, 3).some((line) => HEADER.test(line))) return undefined
  const headers = lines.flatMap((line, at) => {
    const name = HEADER.exec(line)?.[1]
    return name === undefined ? [] : [{ path: normalPath(name), at }]
  })
  return byPath(
    headers.map(({ path, at }, i) => {
      // Files are separated by a blank line.
      const end = (headers[i + 1]?.at ?? lines.length + 1) - 1
      return [path, lines.slice(at + 1, end).join('\n')]
    }),
  )
}

/** Line number forms of agents: a padded number and a tab (`cat -n`), `12→`, `12 | `, `00012| `, `    12|`. */
const NUMBERS = [
  /^ +(\d+)\t(.*)$/s,
  /^(\d{5,})\t(.*)$/s,
  /^\s*(\d+)→(.*)$/s,
  /^\s*(\d+) \| ?(.*)$/s,
  /^(\d{5,})\| (.*)$/s,
  /^ +(\d+)\|(.*)$/s,
]
/** SWE-agent's `12:`, accepted only below SWE-agent's header. */
const WINDOW = /^(\d+):(.*)$/s
const WINDOW_HEADER = /^\[File: .* \((\d+) lines total\)\]/
/** opencode's `12: `, accepted only within its element. */
const CONTENT = /^(\d+): (.*)$/s
const CONTENT_HEADER = /^<(?:file|content)>$/
/** A tool's notice, which is not a line of the file. */
const NOTICE =
  /^(?:\[.*\]?|\(.*\)|<.*|.{0,200}\blines\b.*|(?:File|Path): .*|Here's the result of running .*|\s*)\r?$/

interface Runs {
  fragments: Fragment[]
  /** Total lines of the file, if the result has that number. */
  total: number | undefined
  /** Whether the result says that more follows, or that lines are cut. */
  isCut: boolean
}

function numberedRuns(lines: readonly string[]): Runs | undefined {
  const window = windowOf(lines)
  const start = lines.findIndex((line) => window?.test(line) ?? expressionOf(line) !== undefined)
  // Tools write at most a few lines before the first numbered one.
  if (start === -1 || start > 4 || !lines.slice(0, start).every((line) => NOTICE.test(line))) return undefined
  const expression = window ?? expressionOf(lines[start] as string)
  if (expression === undefined) return undefined
  const runs: Runs = {
    fragments: [],
    total: totalIn(lines.slice(0, start)),
    isCut: lines.slice(0, start).some((line) => CUT.test(line)),
  }
  let behind = 0
  for (const line of lines.slice(start)) {
    const match = expression.exec(line.replace(/\r$/, ''))
    if (match === null) behind++
    else if (!addLine(runs, Number(match[1]), match[2] as string)) return undefined
    if (match === null && CUT.test(line)) runs.isCut = true
  }
  // If most lines are not numbered, the numbers belong to the file.
  return behind * 4 > lines.length && behind > 6 ? undefined : runs
}

function windowOf(lines: readonly string[]): RegExp | undefined {
  if (WINDOW_HEADER.test(lines[0] ?? '')) return WINDOW
  const isContent = (line: string, at: number) =>
    CONTENT_HEADER.test(line) && CONTENT.test(lines[at + 1] ?? '')
  return lines.slice(0, 4).some(isContent) ? CONTENT : undefined
}

const expressionOf = (line: string) => NUMBERS.find((expression) => expression.test(line))

function totalIn(lines: readonly string[]): number | undefined {
  const found = lines
    .map((line) => /\b(?:of )?(\d+) (?:total lines|lines total)\b/.exec(line)?.[1])
    .find(Boolean)
  return found === undefined ? undefined : Number(found)
}

/** Lines that tools shorten, or that cannot be displayed, are unknown. */
const LONGEST_LINE = 1990

function addLine(runs: Runs, number: number, line: string): boolean {
  const { fragments } = runs
  const last = fragments.at(-1)
  const next = last === undefined ? undefined : last.start + last.lines.length
  if (next !== undefined && number < next) return false
  if (line.length >= LONGEST_LINE || line.includes('\ufffd')) {
    runs.isCut = true
    fragments.push({ start: number + 1, lines: [] })
  } else if (last !== undefined && number === next) last.lines.push(line)
  else fragments.push({ start: number, lines: [line] })
  return true
}

/** Line limits that some agents apply without a notice. */
const SILENT_LIMITS = new Set([1000, 2000])

function numbered({ fragments: all, total, isCut }: Runs, asked: Asked): ReadContent {
  const fragments = all.filter(({ lines }) => lines.length > 0)
  const [only] = fragments
  const isOne = all.length === 1 && only?.start === 1
  const count = only?.lines.length ?? 0
  const isToEnd = total === undefined ? !isCut && !isOpen(asked) && !reaches(count, asked) : count === total
  return { fragments, isWhole: isOne && isToEnd, finalLineEnd: null }
}

/** Whether a part was asked for, but not which lines: `offset: -20`, `offset: 10.5`. */
function isOpen({ startLine, endLine, args = '' }: Asked): boolean {
  if (startLine !== null || endLine !== null || typeof args === 'string') return false
  const isAll = (value: unknown) => ['', '0', '1', '1,-1'].includes(String(value ?? ''))
  return LINE_ARGUMENTS.some((name) => !isAll(args[name]))
}

/** Whether the result has as many lines as were requested, or as an agent's limit: more may follow. */
function reaches(count: number, { startLine, endLine }: Asked): boolean {
  if (endLine !== null && count >= endLine - (startLine ?? 1) + 1) return true
  return SILENT_LIMITS.has(count)
}

/** Words of tools' notices at the end, or in place of the content. */
const CUT =
  /\b(?:truncated|more lines?|not shown|omitted|continue reading|too large|lines total|showing lines|read on with|cleared|removed)\b/i

function raw(text: string, asked: Asked): ReadContent | undefined {
  const lines = text.split('\n')
  if (text === '' || /^(?:\[[^\n]*\]|<[^\n]*>|\([^\n]*\))$/.test(text.trim())) return undefined
  if (text.includes('\ufffd')) return undefined
  const isCut = CUT.test(lines[0] as string) || lines.slice(-3).some((line) => CUT.test(line))
  const start = asked.startLine ?? 1
  // A notice follows the content after blank lines, which may belong to the file.
  if (isCut) lines.splice(lines.length - 3)
  while (isCut && lines.at(-1)?.trim() === '') lines.pop()
  const finalLineEnd = lines.at(-1) === ''
  if (finalLineEnd) lines.pop()
  const isWhole = !isCut && start === 1 && !reaches(lines.length, asked)
  return { fragments: [{ start, lines }], isWhole, finalLineEnd: finalLineEnd ? true : null }
}
