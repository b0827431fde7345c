import { asRecord, type JsonRecord } from '../base/json.js'

/** The time of a message or entry, in milliseconds since 1970, from the field names that hosts use for it. */
export function timeOf(record: JsonRecord | undefined): number | undefined {
  const { created, createdAt, timestamp, ts } = record ?? {}
  const found = timestamp ?? ts ?? createdAt ?? created
  const time =
    typeof found === 'number'
      ? found * (found < SECONDS_UP_TO ? 1000 : 1)
      : found instanceof Date || typeof found === 'string'
        ? +new Date(found)
        : NaN
  return Number.isFinite(time) ? time : undefined
}

/** Smaller numbers are seconds: as milliseconds this is March 1973, as seconds the year 5138. */
const SECONDS_UP_TO = 1e11

/**
 * Seconds from the model's last answer to the newest message; 0 if one of them has no timestamp, or the
 * newest message is an answer. The prompt cache has been idle for at least that long, because the answer's
 * request is older than the answer.
 */
export function pauseIn(messages: readonly object[]): number {
  try {
    const newest = messages.at(-1) as JsonRecord | undefined
    if (newest === undefined || isAnswer(newest)) return 0
    // First: in most histories no message has a time.
    const to = timeIn(newest)
    if (to === undefined) return 0
    const from = timeIn(
      messages.findLast((message) => isAnswer(message as JsonRecord)) as JsonRecord | undefined,
    )
    return from === undefined ? 0 : Math.max(0, (to - from) / 1000)
  } catch {
    // A message whose fields cannot be read gets a proper error where it is parsed.
    return 0
  }
}

const timeIn = (message: JsonRecord | undefined): number | undefined =>
  timeOf(message) ?? timeOf(asRecord(message?.metadata))

const isAnswer = ({ role }: JsonRecord): boolean => role === 'assistant' || role === 'model'
