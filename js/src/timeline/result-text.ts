import { asRecord, type JsonRecord } from '../base/json.js'
import type { ToolUse } from './tool-uses.js'

/** Results that look like a failure without being marked as one. */
const FAILURE =
  /^\s*(?:<?error\b|<tool_use_error>|failed\b|fatal\b|traceback\b|invalid \w+|(?:\w+ ){1,2}failed\b|(?:the )?file (?:(?:was )?not found|does not exist|has not been read|has been modified since)\b|no such file\b)/i
/** Error of the operating system: `ENOSPC: no space left`. */
const SYSTEM_ERROR = /^\s*E(?!OF:)[A-Z][A-Z0-9]+: /
/** Answer of a host or its user in place of a result: `The user rejected this change.`, `Blocked by a hook`. */
const REFUSED =
  /^\s*the user (?:doesn't|does not|didn't|did not) (?:want|allow|approve)\b|^\s*(?:\S{1,40} ){0,4}blocked by (?:\w+ )?(?:\w+ )?hook\b|^\s*(?:(?:the|this|tool) ){0,2}(?:user|permission|operation|call|use|request|edit|change|patch)\b.{0,30}\b(?:denied|rejected|refused|declined|cancell?ed|aborted)\b/i
/** Whether the text of a read's result is a failure and no content. */
export const isFailure = (text: string): boolean =>
  FAILURE.test(text) || SYSTEM_ERROR.test(text) || REFUSED.test(text)

/**
 * What became of a change: `made` as its call says, `altered` if it was made and the user or a formatter then changed the
 * content, `open` if it may not have been made.
 */
export type Effect = 'made' | 'altered' | 'open'

/** The one place that decides whether a change was made. */
export function effectOf({ args, path, result }: Pick<ToolUse, 'args' | 'path' | 'result'>): Effect {
  if (result === undefined || result.isError || isTrial(args) || isFailure(result.text)) return 'open'
  const texts = textsIn(result.text, args)
  if (texts === FAILED) return 'open'
  const told = texts.map((text) => proseOf(text, path))
  if (told.some(mayBeUnmade)) return 'open'
  return told.some((lines) => lines.some((line) => ALTERED.test(line))) ? 'altered' : 'made'
}

function isTrial(args: ToolUse['args']): boolean {
  if (typeof args === 'string') return false
  return Object.entries(args).some(([name, value]) => TRIAL.test(name) && isTrue(value))
}
const TRIAL = /^(?:dry_?run|preview(?:_?only)?|check_?only|validate_?only|simulate)$/i

/** Words, in a tool's report of a change, with which it may not have been made. */
const NOT_MADE = new RegExp(
  [
    String.raw`\bnot\b|n['’]t\b|\b(?:none|without (?:any )?changes?|cannot|could no|unable|denied|reject(?:ed|s)|refus(?:ed|es|al|ing)|declined)\b`,
    String.raw`\b(?:cancell?ed|abort(?:ed|ing)|interrupted|skipp(?:ed|ing)|ignored|blocked|prevented|reverted|rolled back|undone)\b`,
    String.raw`\b(?:timed out|timeout|pending|queued|background|approval|permission|read-?only|plan mode)\b`,
    String.raw`\b(?:identical|unchanged|ambiguous|mismatch|conflict|unknown|missing|locked|stale|invalid|already exists)\b`,
    String.raw`\b(?:forbidden|disabled|unauthorized|too (?:large|long|many)|dry[- ]?run|would (?:be|have)|must)\b`,
    String.raw`(?<!\b(?:no|0|without) )\b(?:errors?|fail(?:s|ed|ing)?|failures?)\b|\bexception\b|<\/?\w*error`,
    String.raw`\bno (?:\w{1,40} ){0,2}(?:match(?:es)?|changes?|such|replacements?|edits?|occurrences?|modifications?)\b`,
    String.raw`\bnothing\b|\bfound \d+ (?:\w{1,40} )?(?:match|occurrence|instance|place)|\bbut found\b`,
    String.raw`(?<![\d.,])\b(?:0|zero) (?:of \d+ )?(?:\w{1,40} )?(?:replacements?|occurrences?|edits?|changes?|hunks?|matches)\b`,
    String.raw`\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]`,
  ].join('|'),
  'i',
)
/** Words of a line that says that something was changed; notices about other things may follow it. */
const CHANGED =
  /\b(?:success\w*|ok|done|(?:re)?written|(?:over)?wrote|applied|updated|edited|changed|created|saved|replaced|inserted|modified|patched)\b/i
/** A line about one of several edits. */
const ONE_EDIT = /\b(?:edits?|hunks?|replacements?|old_?(?:str|string|text))\b/i
/** Words with which the content is another one than that of the call. */
const ALTERED = new RegExp(
  [
    String.raw`\b\w*formatt(?:ed|ers?|ing)\b|\bprettified\b|\bauto-?fix|\blint(?:er)?[- ]?fix|<\/?final_file_content`,
    String.raw`\busers?\b.{0,20}\b(?:made|modified|edited|changed|updated|adjusted|amended)\b`,
    String.raw`\bby (?:the |an? )?(?:\w{1,40} )?(?:user|linter|hook)\b`,
    String.raw`\bran (?:prettier|black|gofmt|rustfmt|biome|eslint|dprint|ruff)\b`,
  ].join('|'),
  'i',
)

/** Whether a report of a change, as lines, may be one of a change that was not made. */
function mayBeUnmade(lines: readonly string[]): boolean {
  const at = lines.findIndex((line) => CHANGED.test(line))
  const end = at === -1 ? HEAD_LINES : at + 1
  return lines.some((line, i) => (i < end || ONE_EDIT.test(line)) && NOT_MADE.test(line))
}
/** Lines that are looked at if none says that something was changed. */
const HEAD_LINES = 8

/** Returns the lines of a result in which a tool says what it did; numbers of its fields as `2 bytes written`. */
export function reportOf({ args, path, result }: Pick<ToolUse, 'args' | 'path' | 'result'>): string[] {
  const text = result?.text ?? ''
  const texts = textsIn(text, args)
  if (texts === FAILED) return []
  const lines = texts.flatMap((each) => proseOf(each, path))
  // Behind the first, the text of the file may follow.
  const told = lines.length > SHORT_REPORT ? [lines.find((line) => CHANGED.test(line)) ?? ''] : lines
  const fields = /^\s*[{[]/.test(text) ? [...text.matchAll(COUNT_FIELD)] : []
  return [...told, ...fields.map(([, name = '', count]) => `${count} ${inWords(name)}`)]
}
const SHORT_REPORT = 3
/** A field of JSON with a count. Within a text, its quotes are escaped. */
const COUNT_FIELD = /"(\w{1,40}s(?![a-z])\w{0,40})"\s*:\s*(\d+)(?=\s*[,}])/g
const inWords = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()

/** Returns the lines that a tool says itself: none of the file, and without names of files: `src/denied.ts`. */
function proseOf(text: string, path: string | null): string[] {
  const isDiff = /^(?:@@|--- |\+\+\+ )/m.test(text)
  const source = isDiff ? /^(?:[-+@ ]|diff |index )/ : /^\s*\d+\s*[→|:\t]/
  const name = path?.split('/').at(-1) ?? ''
  const isName = (word: string) =>
    FILE.test(word) || (name.includes('.') && word.replace(AROUND, '') === name)
  const lines = text.split(/[\n\r]/).filter((line) => line.trim() !== '' && !source.test(line))
  return lines.map((line) =>
    line
      .slice(0, LONGEST_LINE)
      .split(/\s+/)
      .filter((word) => !isName(word))
      .join(' '),
  )
}
const FILE = /[/\\][^/\\]*\.\w+\W*$/
const AROUND = /^\W+|\W+$/g
const LONGEST_LINE = 2000

const FAILED = Symbol()

/** Returns the texts of a result: those of its JSON that repeat no argument. `FAILED` if a field says so. */
function textsIn(text: string, args: ToolUse['args']): string[] | typeof FAILED {
  if (!/^\s*[{["]/.test(text)) return [text]
  const texts: string[] = []
  try {
    const own = typeof args === 'string' ? {} : args
    return collect(JSON.parse(text), own, texts, DEEPEST) ? texts : FAILED
  } catch {
    return [text]
  }
}
/** Objects in a result are nested less. */
const DEEPEST = 20

/** Adds the texts in a value; returns false if a field reports an error. */
function collect(value: unknown, args: JsonRecord, texts: string[], depth: number): boolean {
  if (depth === 0) return false
  if (typeof value === 'string') texts.push(value)
  if (Array.isArray(value)) return value.every((each) => collect(each, args, texts, depth - 1))
  return Object.entries(asRecord(value) ?? {}).every(([name, each]) => {
    if (FIELDS.get(name)?.(each) || (COUNT.test(name) && each === 0)) return false
    return Object.hasOwn(args, name) || collect(each, args, texts, depth - 1)
  })
}

const isTrue = (value: unknown) => String(value) === 'true'
const isFalse = (value: unknown) => String(value) === 'false'
const isFailedWord = (value: unknown) => /^(?:error|failed|failure)$/i.test(String(value))
const isStatus = (value: unknown) => typeof value === 'number' && value !== 0

/** Fields that report an error, and the values with which they do. */
const FIELDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['error', (value) => value !== null && value !== false && value !== ''],
  ['isError', isTrue],
  ['is_error', isTrue],
  ['success', isFalse],
  ['ok', isFalse],
  ['written', isFalse],
  ['applied', isFalse],
  ['status', isFailedWord],
  ['type', isFailedWord],
  ['exitCode', isStatus],
  ['exit_code', isStatus],
  ['changed', isFalse],
  ['modified', isFalse],
])
/** Fields with the number of changes that were made. */
const COUNT = /replacements?|occurrences|(?:edits|changes|hunks|replaced)(?:_?(?:made|applied))?$/i
