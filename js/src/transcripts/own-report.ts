import { asRecord, asString, type JsonRecord } from '../base/json.js'
import { timeOf } from '../history/message-times.js'
import { type AnsweredRequest, readCacheWrites } from '../tokens/cache-writes.js'
import { type ReportedUsage, readUsage } from '../tokens/reported-usage.js'
import type { Transcript } from './types.js'

/** Claude Code's model of an answer that no model gave. It does not resume a session in which an answer has none. */
export const SYNTHETIC = '<synthetic>'

/** The folder of a session. `/` stands for one that is not known (`writeTranscript`). */
export function folderOf(value: unknown): { cwd?: string } {
  const cwd = asString(value) ?? '/'
  return cwd === '/' || cwd === '' ? {} : { cwd }
}

/** Facts about an answer beside the message itself. */
export interface Report {
  usage: ReportedUsage | null
  /** Milliseconds since 1970. */
  time: number | null
  request: AnsweredRequest | null
}

/** Returns a message's own report: agents store the provider's usage in it, under various names. */
export function reportIn(message: JsonRecord): Report {
  const inner = asRecord(message.data) ?? asRecord(message.kwargs) ?? message
  const { metadata, metrics, response_metadata, usage, usageMetadata, usage_metadata } = inner
  const found = [
    usage,
    usage_metadata,
    usageMetadata,
    metrics,
    asRecord(metadata)?.usage,
    asRecord(response_metadata)?.usage,
    asRecord(response_metadata)?.tokenUsage,
  ]
  const read = found.map(readUsage).find((one) => one !== undefined)
  return { usage: read ?? null, time: timeOf(message) ?? null, request: null }
}

/** Reports by message position. */
export type Reported = Pick<Transcript, 'requests' | 'times' | 'usage'>

/** Returns what an answer's line says about its request; `null` if nothing. */
export function requestIn(line: JsonRecord, answer: JsonRecord): AnsweredRequest | null {
  const model = answer.model === SYNTHETIC ? null : (asString(answer.model) ?? null)
  const session = asString(line.sessionId) ?? null
  const writes = readCacheWrites(answer.usage)
  const missReason = asString(asRecord(asRecord(answer.diagnostics)?.cache_miss_reason)?.type) ?? null
  return model === null && writes === null ? null : { model, session, writes, missReason }
}

/** Converts reports to fields by position; a field that no report has is left out. */
export function reportFields(reports: readonly Report[]): Reported {
  const times = reports.map(({ time }) => time)
  const requests = reports.map(({ request }) => request)
  const usage = reports.map((report) => report.usage)
  return {
    ...(times.some((time) => time !== null) ? { times } : {}),
    ...(usage.some((one) => one !== null) ? { usage } : {}),
    ...(requests.some((one) => one !== null) ? { requests } : {}),
  }
}
