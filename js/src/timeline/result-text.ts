import { asRecord } from '../base/json.js'

/** Results that look like a failure without being marked as one. */
const FAILURE = /^\s*(?:<?error\b|failed\b|fatal\b|traceback\b)/i
/** Error of the operating system: `ENOSPC: no space left`. */
const SYSTEM_ERROR = /^\s*E(?!OF:)[A-Z][A-Z0-9]+: /
/** Answer of a host or its user in place of a result: `The user rejected this change.` */
const REFUSED =
  /^\s*(?:(?:the|this|tool) ){0,2}(?:user|permission|operation|call|use|request|edit|change|patch)\b.{0,30}\b(?:denied|rejected|refused|declined|cancell?ed|aborted)\b/i
/** The first line of a change's result, if it may not have been made. */
const NOT_MADE =
  /^.*\b(?:denied|rejected|refused|declined|cancell?ed|aborted|interrupted|skipped|timed out|not (?:made|found|allowed|applied|permitted|executed|unique)|no (?:match|changes?|such)|does not exist|could not|couldn't|cannot|can't|unable|doesn't|didn't)\b/i
const FAILED: readonly unknown[] = ['error', 'failed', 'failure']

/** Whether the text of a read's result is a failure and no content. */
export const isFailure = (text: string): boolean => FAILURE.test(text)

/** Whether the text of a change's result says that it failed: `Error: ...`, `ENOSPC: ...`, `{"error": ...}`. */
export const saysFailed = (text: string): boolean =>
  isFailure(text) || SYSTEM_ERROR.test(text) || REFUSED.test(text) || isFailedJson(text)

/** Whether a change may not have been made, as the text of its result tells. */
export const mayBeUnmade = (text: string): boolean => saysFailed(text) || NOT_MADE.test(text)

/** JSON of a tool that has no other way to report an error. */
function isFailedJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false
  try {
    const { error, isError, success, ok, status } = asRecord(JSON.parse(text)) ?? {}
    const isTold = error !== undefined && error !== null && error !== false && error !== ''
    return isTold || isError === true || success === false || ok === false || FAILED.includes(status)
  } catch {
    return false
  }
}
