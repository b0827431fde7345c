// The figures in a tool's report of a change: of a partial write, or of a text that is not the known one.

import { linesOf } from '../base/lines.js'
import { utf8Length } from '../base/text.js'
import { type Change, patchOf } from './changes.js'
import type { Known } from './replay.js'
import { reportOf } from './result-text.js'
import type { ToolUse } from './tool-uses.js'

/** `parts` of a change are counted in different ways. */
type Unit = 'size' | 'lines' | 'places' | 'edits' | 'parts'

interface Figure {
  count: number
  /** The second number of `1 of 4 bytes`. */
  of: number | undefined
  unit: Unit
}

/** Changes of a call, and what was known of the file before and after them. */
export interface Followed {
  changes: readonly Change[]
  before: Known
  after: Known
  /** For each replacement, the number of places. */
  places: readonly number[]
}

/** Whether no reading of a figure in the tool's report agrees with what its changes make of the file. */
export function contradicts(use: Pick<ToolUse, 'args' | 'path' | 'result'>, followed: Followed): boolean {
  const figures = figuresIn(reportOf(use))
  if (figures.length === 0) return false
  if (figures.some(({ count, of }) => of !== undefined && of !== count)) return true
  const { changes } = followed
  // The report of a patch is of all its files, and that of a section of a text that the call has not.
  if (patchOf(use) !== null || changes.some(({ kind }) => kind === 'section')) return false
  const counts = (unit: Unit) => figures.filter((each) => each.unit === unit).map(({ count }) => count)
  const [only] = changes
  if (changes.length === 1 && only?.kind === 'write')
    return isNone(counts('size'), sizesOf(only.text)) || isNone(counts('lines'), lineCountsOf(only.text))
  return (
    differsInPlaces(counts('places'), followed.places) ||
    isFewer(counts('edits'), changes.length) ||
    (counts('size').length > 0 && differsInSize(counts('size'), followed)) ||
    counts('lines').some((count) => count > mostLines(followed))
  )
}

/** Of a written text, one figure has to be right: others may be of the text that was there before. */
const isNone = (counts: readonly number[], explained: ReadonlySet<number>) =>
  counts.length > 0 && !counts.some((count) => explained.has(count))

function differsInPlaces(counts: readonly number[], places: readonly number[]): boolean {
  const explained = new Set([...places, places.length, sum(places)])
  return places.length > 0 && counts.some((count) => !explained.has(count))
}

const isFewer = (counts: readonly number[], edits: number) => counts.length > 0 && sum(counts) < edits

/** Sizes may be those of the texts of the call, of the whole file, or the difference that the change makes. */
function differsInSize(counts: readonly number[], { after, before, changes, places }: Followed): boolean {
  if (!before.whole || !after.whole) return false
  const explained = new Set([before, after].flatMap(({ text }) => orWithoutEnd(text)).flatMap(sizes))
  if (counts.length === 1)
    for (const [was, now] of zip(sizes(before.text), sizes(after.text))) explained.add(Math.abs(now - was))
  const times = [1, ...places, sum(places)]
  const [olds, news] = [changes.map(oldOf), changes.map(newOf)]
  for (const text of [...olds, ...news, olds.join(''), news.join('')])
    for (const size of sizes(text)) for (const time of new Set(times)) explained.add(size * time)
  return counts.some((count) => !explained.has(count))
}

const oldOf = (change: Change) => (change.kind === 'replace' ? change.old : '')
function newOf(change: Change): string {
  if (change.kind === 'replace') return change.new
  return 'text' in change ? change.text : ''
}

/** Whether a file ends with a line end is not always known. */
const orWithoutEnd = (text: string) => [text, text.replace(/\r?\n$/, '')]
const zip = (some: readonly number[], others: readonly number[]) =>
  some.map((each, i) => [each, others[i] ?? 0] as const)
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Reports of edits count lines in many ways, and show some around the change, but not more than the file has. */
const mostLines = ({ after, before }: Followed) =>
  before.whole && after.whole
    ? Math.max(linesOf(before.text).length, linesOf(after.text).length) + 1
    : Number.POSITIVE_INFINITY

/** The sizes of a text: in UTF-16 units, characters and bytes, as it is, with `\n` and with `\r\n`. */
function sizes(text: string): number[] {
  const feeds = text.split('\n').length - 1
  const pairs = text.split('\r\n').length - 1
  const low = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0
  const own = [text.length, text.length - low, utf8Length(text)]
  return own.flatMap((size) => [size, size + feeds - pairs, size - pairs])
}
const sizesOf = (text: string): ReadonlySet<number> => new Set(sizes(text))

/** The line count of a text, and those of tools that count line ends, or the parts between them. */
const lineCountsOf = (text: string): ReadonlySet<number> => {
  const parts = text.split('\n').length
  return new Set([linesOf(text).length, parts - 1, parts])
}

/** A count with its unit, without those of a part, of a limit or an estimate: `+3 lines`, `3 lines added`. */
const FIGURE = new RegExp(
  String.raw`(?<![\w.,+~≈<>/-])(?<![~≈<>+] |\b(?:was|were|from|previously|before|old|first|last|about|to|than|over|limit):? )` +
    String.raw`(\d+(?:,\d{3})*)(?: ?(?:out of|of|\/) ?(\d+(?:,\d{3})*))? (?:(?:total|written) )?` +
    '(?:(bytes?|chars?|characters?)|(lines?)|(occurrences?|replacements?|match(?:es)?|instances?|places?)' +
    String.raw`|(edits?|blocks?)|changes?|hunks?|chunks?)(?:\(s\))?(?![\w(])` +
    String.raw`(?! (?:were |was )?(?:added|removed|inserted|deleted|changed|modified|before|longer|shorter|larger|smaller|left|remain\w*)\b| ?(?:→|->|=>))`,
  'gi',
)
/** What follows shows a part of the file. */
const SHOWN = /\b(?:show|display|preview|snippet|context)/i
/** A report of one of several edits. */
const ONE_OF_SEVERAL = /\b(?:edit|change|hunk|block) #?\d/i

function figuresIn(lines: readonly string[]): Figure[] {
  return lines.flatMap((line) => {
    const figures = [...(line.split(SHOWN, 1)[0] ?? '').matchAll(FIGURE)].map(figureOf)
    return ONE_OF_SEVERAL.test(line) ? figures.filter(({ unit }) => unit !== 'edits') : figures
  })
}

function figureOf([, count = '', of, size, lines, places, edits]: RegExpExecArray): Figure {
  const unit = size ? 'size' : lines ? 'lines' : places ? 'places' : edits ? 'edits' : 'parts'
  return { count: numberOf(count), of: of === undefined ? undefined : numberOf(of), unit }
}
const numberOf = (digits: string) => Number(digits.replaceAll(',', ''))
