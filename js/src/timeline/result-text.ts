import { asRecord } from '../base/json.js'

/** Results that look like a failure without being marked as one. */
const FAILURE =
  /^\s*(?:<?error\b|failed\b|fatal\b|traceback\b|invalid \w+|(?:\w+ ){1,2}failed\b|(?:the )?file (?:(?:was )?not found|does not exist|has not been read|has been modified since)\b|no such file\b)/i
/** Error of the operating system: `ENOSPC: no space left`. */
const SYSTEM_ERROR = /^\s*E(?!OF:)[A-Z][A-Z0-9]+: /
/** Answer of a host or its user in place of a result: `The user rejected this change.` */
const REFUSED =
  /^\s*(?:(?:the|this|tool) ){0,2}(?:user|permission|operation|call|use|request|edit|change|patch)\b.{0,30}\b(?:denied|rejected|refused|declined|cancell?ed|aborted)\b/i
/** The first line of a change's result, if it may not have been made. */
const NOT_MADE =
  /^.*\b(?:denied|rejected|refused|declined|cancell?ed|aborted|interrupted|skipped|timed out|failed|failure|not (?:made|found|allowed|applied|permitted|executed|unique)|no (?:match|changes?|such)|does not exist|could not|couldn't|cannot|can't|unable|doesn't|didn't)\b/i

/** Whether the text of a read's result is a failure and no content. */
export const isFailure = (text: string): boolean =>
  FAILURE.test(text) || SYSTEM_ERROR.test(text) || REFUSED.test(text)

/** Whether the text of a change's result says that it failed: `Error: ...`, `ENOSPC: ...`, `{"error": ...}`. */
export const saysFailed = (text: string): boolean => isFailure(text) || isFailedJson(text)

/** Whether a change may not have been made, as the text of its result tells. */
export const mayBeUnmade = (text: string): boolean => saysFailed(text) || NOT_MADE.test(text)

/** JSON of a tool that has no other way to report an error. */
function isFailedJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false
  try {
    const fields = asRecord(JSON.parse(text)) ?? {}
    return Object.entries(fields).some(([name, value]) => FIELDS.get(name)?.(value))
  } catch {
    return false
  }
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
  ['result', (value) => typeof value === 'string' && isFailure(value)],
])
