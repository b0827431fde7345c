import { asRecord, isRecord, type JsonRecord, recordsOf } from '../base/json.js'
import { messagesIn, unmarked } from '../base/request-body.js'
import { timeOf } from '../history/message-times.js'
import { readUsage } from '../tokens/reported-usage.js'
import { type Report, requestIn } from './own-report.js'
import type { SkipLog } from './skip-log.js'
import type { RecordAt } from './types.js'

/** The conversation of a log: the messages of its last request, and the answer. */
export interface LoggedConversation {
  records: RecordAt[]
  /** Body of the last request. */
  envelope: JsonRecord
  /** Usage and time, by the message that answered. */
  reports: ReadonlyMap<JsonRecord, Report>
}

/** A request of a log, as accepted by `diagnose` of `trimtab/money`. */
export interface LoggedRequest {
  /** Body of the request. */
  body: object
  /** Usage object of the answer, as the provider returned it. */
  usage: object | null
  /** Time of the log entry, in milliseconds since 1970. */
  time: number | null
  /** Type in Anthropic's `diagnostics.cache_miss_reason`. */
  missReason: string | null
}

/** A logged request, with the messages of its answer. */
interface Entry extends LoggedRequest {
  at: number
  body: JsonRecord
  messages: JsonRecord[]
  answer: JsonRecord[]
  report: Report
}

/** Whether a record is a logged call of a provider's API: a request with messages, and its response. */
export function isLogged(value: JsonRecord): boolean {
  return bodyOf(value) !== undefined && isRecord(value.response)
}

/**
 * Reads a log of calls of a provider's API. Each entry is `{request, response}`, or has the request's fields next to
 * `response`. Each request holds the conversation so far; that of the last one is returned.
 */
export function readApiLog(records: readonly RecordAt[], skipped: SkipLog): LoggedConversation | undefined {
  const entries = records.flatMap((record) => entryOf(record, skipped))
  const last = entries.at(-1)
  if (last === undefined) return undefined
  const whole = [...last.messages, ...last.answer]
  const reports = new Map<JsonRecord, Report>()
  for (const entry of entries) {
    if (!isPartOf(entry, whole)) {
      skipped.add('request of another conversation', entry.at)
      continue
    }
    const answer = whole[entry.messages.length]
    if (answer !== undefined) reports.set(answer, entry.report)
  }
  return { records: whole.map((value) => ({ at: last.at, value })), envelope: last.body, reports }
}

/** Returns the requests of a log, in its order. */
export function loggedRequests(records: readonly RecordAt[], skipped: SkipLog): LoggedRequest[] {
  return records
    .flatMap((record) => entryOf(record, skipped))
    .map(({ body, usage, time, missReason }) => ({ body, usage, time, missReason }))
}

function entryOf({ at, value }: RecordAt, skipped: SkipLog): Entry[] {
  const body = bodyOf(value)
  const response = asRecord(value.response)
  if (body === undefined || response === undefined) {
    skipped.add('no request with its response', at)
    return []
  }
  const answered = asRecord(response.body) ?? response
  const usage = asRecord(answered.usage ?? answered.usageMetadata) ?? null
  const time = timeOf(value) ?? timeOf(answered) ?? null
  const request = requestIn(value, { ...answered, model: body.model })
  const missReason = request?.missReason ?? null
  const report = { usage: readUsage(usage) ?? null, time, request }
  const messages = recordsOf(messagesIn(body))
  return [{ at, body, messages, answer: answerOf(answered), report, usage, time, missReason }]
}

/** Wraps requests without responses, as a proxy may log them; a single one is a conversation. */
export function bareRequests(records: readonly RecordAt[]): RecordAt[] | undefined {
  const bodies = records.map(({ value }) => bodyOf(value))
  if (bodies.length < 2 || bodies.some((body) => typeof body?.model !== 'string')) return undefined
  return records.map(({ at, value }, i) => ({ at, value: { ...value, request: bodies[i], response: {} } }))
}

/** Returns the body of a request: an object with a list of messages. */
function bodyOf(value: JsonRecord): JsonRecord | undefined {
  const request = asRecord(value.request)
  const places = [asRecord(request?.body), request, asRecord(value.body), asRecord(value.params), value]
  return places.find((place) => place !== undefined && messagesIn(place) !== undefined)
}

/** Messages of an answer, in the form in which the next request would contain them. */
function answerOf({ candidates, choices, content, output, role }: JsonRecord): JsonRecord[] {
  if (Array.isArray(output)) return recordsOf(output)
  if (Array.isArray(content)) return content.length === 0 ? [] : [{ role: role ?? 'assistant', content }]
  const chosen = recordsOf(choices)[0]?.message ?? recordsOf(candidates)[0]?.content
  return isRecord(chosen) ? [chosen] : []
}

/**
 * Whether a request is part of the conversation: its last message is at the same position in it. Cache marks are
 * ignored, since they move.
 */
function isPartOf({ messages }: Entry, whole: readonly JsonRecord[]): boolean {
  const newest = messages.length - 1
  const there = whole[newest]
  return there !== undefined && unmarked(there) === unmarked(messages[newest])
}
