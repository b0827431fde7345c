import { check, checkOptions, FUNCTION, kind, refuseWith, TEXT } from '../base/check.js'
import { ENCODING } from '../base/content.js'
import { nearest } from '../base/nearest.js'
import { counted, cut } from '../base/text.js'
import type { TextCounter } from '../base/text-counter.js'
import { countedBy } from '../files/content-source.js'
import { MAX_TOKENS } from '../generated/protocol.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineSection } from '../outline/index.js'
import type { OutlineLanguage } from '../outline/language.js'
import { TOKENS } from './limits.js'
import type { LineRange } from './line-ranges.js'
import { fileOfLines } from './lines.js'
import { sectionsOf } from './sections.js'
import { type FileView, viewOf } from './view.js'

/** Options of {@link expand}. */
export interface ExpandOptions {
  path: string
  content: string | Uint8Array
  /** Encoding of bytes without a byte order mark. Default UTF-8. */
  encoding?: TextEncoding | undefined
  /** Name of the section (`Server.start`, `start`), or the number of a line in it. */
  section: string | number
  /** Maximum size of the view, in tokens (estimates). Default 3000, the limit of one read. */
  maxTokens?: number | undefined
  /** Counts the tokens of the view. Default: the estimate, UTF-8 bytes / 3.5. */
  counter?: TextCounter | undefined
  /** Default: detected from the path, or the first line. */
  language?: OutlineLanguage | undefined
}

/** Number of section names that an error lists. */
const NAMES_SHOWN = 20
/** Maximum UTF-16 units of each. */
const NAME_UNITS = 120
/** Maximum characters of a section's name in an outline (`outline/src/section.rs`). */
const LONGEST_NAME = 1000

const SECTION = kind<string | number>(
  "a section's name, or the number of a line in it",
  (value) => typeof value === 'string' || typeof value === 'number',
)

/**
 * Shows a folded section of a view in full: every section with the name, or the innermost around the line.
 *
 * @throws {TrimtabError} `not_found` if the section or line does not exist; as `outline`.
 */
export async function expand(options: ExpandOptions): Promise<FileView> {
  options = checkOptions(
    options,
    {
      path: TEXT,
      content: null,
      encoding: ENCODING,
      section: SECTION,
      maxTokens: TOKENS,
      counter: FUNCTION,
      language: null,
    },
    'expand',
  )
  const { section, language, maxTokens = MAX_TOKENS } = options
  const counter = options.counter && countedBy(options.counter)
  check('section', section, SECTION)
  const file = await fileOfLines(options)
  const sections = await sectionsOf({ ...file, language })
  const ranges =
    typeof section === 'number'
      ? aroundLine(section, sections, file.lines.length)
      : byNameOrLine(section, sections, file.lines)
  return viewOf(file, { mode: 'curated', ranges, sections, curatedBy: 'outline', maxTokens, counter })
}

function aroundLine(line: number, sections: readonly OutlineSection[], total: number): LineRange[] {
  if (!Number.isSafeInteger(line) || line < 1 || line > total) {
    notFound(`there is no line ${String(line)}: the file has ${counted(total, 'line')}`)
  }
  // Sections are in the order of the file: the last one that contains the line is the innermost.
  const inner = sections.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine)
  if (inner !== undefined) return [rangeOf(inner)]
  let [start, end] = [1, total]
  for (const { startLine, endLine } of sections) {
    if (endLine < line) start = Math.max(start, endLine + 1)
    if (startLine > line) end = Math.min(end, startLine - 1)
  }
  return [{ start, end }]
}

/**
 * Finds a section by name or line number. A name goes first, since a heading may be `2020`; models write line numbers
 * as text.
 */
function byNameOrLine(
  section: string,
  sections: readonly OutlineSection[],
  lines: readonly string[],
): LineRange[] {
  const isLine = /^\s*\d+\s*$/.test(section) && !sections.some(({ name }) => name === section)
  return isLine ? aroundLine(Number(section), sections, lines.length) : byName(section, sections, lines)
}

function byName(name: string, sections: readonly OutlineSection[], lines: readonly string[]): LineRange[] {
  const named = namesOf(sections, lines)
  for (const isMeant of meanings(name)) {
    const found = named.filter(isMeant)
    if (found.length > 0) return found.map(({ section }) => rangeOf(section))
  }
  const names = [...new Set(named.flatMap(({ paths }) => paths.slice(0, 1)).filter(Boolean))]
  const meant = nearest(name, [...names, ...sections.map((section) => section.name)])
  const listed =
    names
      .slice(0, NAMES_SHOWN)
      .map((each) => cut(each, NAME_UNITS))
      .join(', ') + (names.length > NAMES_SHOWN ? ', ...' : '')
  const advice =
    meant === undefined ? `there are ${listed || 'none'}` : `did you mean ${cut(meant, NAME_UNITS)}?`
  notFound(`there is no section ${JSON.stringify(cut(name, NAME_UNITS))}: ${advice}`)
}

/** A section with its names. */
interface Named {
  /** Its path, the names of the enclosing sections and its own; then other forms of it. */
  paths: readonly string[]
  section: OutlineSection
  /** The lines that may define it: up to the first section in it. */
  head: readonly string[]
}

/** Ways to match a name, the most exact first. */
function meanings(name: string): ((named: Named) => boolean)[] {
  const wanted = [...name].slice(0, LONGEST_NAME).join('')
  const isPath = (path: string, wanted: string) => path === wanted || path.endsWith(`.${wanted}`)
  const lower = wanted.toLowerCase()
  const plain = plainPath(wanted)
  const text = unescaped(wanted)
  const shown = name.trim()
  return [
    ({ paths }) => paths.some((path) => isPath(path, wanted)),
    ({ paths }) => paths.some((path) => isPath(path.toLowerCase(), lower)),
    ({ head }) => shown !== '' && head.some((line) => begins(line, shown)),
    ({ paths }) => plain !== '' && paths.some((path) => isPath(path, plain)),
    ({ paths }) => text !== wanted && paths.some((path) => isPath(path, text)),
  ]
}

/** The title of a test of which the line was copied: `a \d` for `a \\d`. */
function unescaped(name: string): string {
  return name.replace(/\\([\\"'`])/g, '$1')
}

/** Whether a line starts with the text given as a name, as in `## Plan`, or `class Reader` for `class Reader {`. */
function begins(line: string, shown: string): boolean {
  const text = line.trim()
  return text.startsWith(shown) && /^\s*(?:$|[:({<=;,])/.test(text.slice(shown.length))
}

/**
 * Converts `Reader::read`, `Reader#read`, `(*Reader).Read`, `List[T].Push`, `Plan > Next`, `#start` and `read()` to the
 * form of a view's paths.
 */
function plainPath(name: string): string {
  return name
    .replace(/(?:\[[^[\]]*\]|(?<=\w)<[^<>]*>)(?=\)?(?:\.|::|#))/g, '')
    .replace(/^\(\*?(\w+)\)\./, '$1.')
    .replace(/\([^)]*\)$/, '')
    .replace(/\s*(?:::|[#>])\s*/g, '.')
    .replace(/^\./, '')
}

/** Lines of a section that are searched for its definition: decorators and attributes may precede it. */
const MOST_HEAD = 40

function namesOf(sections: readonly OutlineSection[], lines: readonly string[]): Named[] {
  const [open, bare]: [string[], string[]] = [[], []]
  return sections.map((section, at) => {
    const { name, depth, startLine, endLine } = section
    const inner = sections[at + 1]
    const end = Math.min(inner === undefined ? endLine : inner.startLine - 1, endLine, startLine + MOST_HEAD)
    // A section in the same line is defined there as well.
    const head = lines.slice(startLine - 1, Math.max(end, startLine))
    const word = lastWord(name)
    const own = head.filter((line, i) => i === 0 || (word !== '' && line.includes(word)))
    open.length = bare.length = depth
    open[depth] = name
    bare[depth] = withType(bareName(name), own)
    const path = pathOf(open)
    return { paths: [...new Set([path, plainPath(path), pathOf(bare)])], section, head: own }
  })
}

const pathOf = (names: readonly string[]): string =>
  names.filter((each) => each !== undefined && each !== '').join('.')

const lastWord = (name: string): string => name.match(/[\p{L}\p{N}_$]+/gu)?.at(-1) ?? ''

/** The type of a Rust implementation: `Buf` for `impl<T: Copy> Buf<T>`, and for `Clone for Buf<T>`. */
function bareName(name: string): string {
  let bare = name
  for (let before = ''; before !== bare; ) {
    before = bare
    bare = bare.replace(/<[^<>]*>/g, '')
  }
  return bare.replace(/^impl\s+/, '').replace(/^.*\sfor\s+/, '')
}

/** The name of a Go method behind its type, which only the line has: `Reader.Read` for `func (r *Reader) Read()`. */
function withType(name: string, head: readonly string[]): string {
  const type = head.map((line) => GO_METHOD.exec(line)?.[1]).find((each) => each !== undefined)
  return type === undefined ? name : `${type}.${name}`
}

const GO_METHOD = /^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)[^)]*\)\s*\w+\s*[([]/

function rangeOf({ name, startLine, endLine }: OutlineSection): LineRange {
  return { start: startLine, end: endLine, ...(name !== '' && { reason: name }) }
}

function notFound(message: string): never {
  refuseWith('section', message, 'not_found')
}
