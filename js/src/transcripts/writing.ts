import type { JsonRecord } from '../base/json.js'
import { bytesText } from '../formats/file.js'
import type { Losses } from '../formats/lost.js'
import type { Format } from '../generated/types.js'
import type { AnsweredRequest } from '../tokens/cache-writes.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'
import type { SessionFact, WrittenTranscript } from './types.js'

/** Writer of one agent's session files. */
export interface AgentWriter {
  /** Format of the messages that it takes. */
  format: Format
  /** Whether messages that are in this format already are written as they are. */
  keeps: boolean
  extension: WrittenTranscript['extension']
  /** Facts that these files hold. */
  holds: readonly SessionFact[]
  write(session: SessionToWrite): string
}

/** A conversation in the format of the file. */
export interface SessionToWrite {
  /** UUID derived from the content: the same session gets the same id. */
  id: string
  turns: Turn[]
  title: string | undefined
  cwd: string
  losses: Losses
}

/** What one message of the source became (an answer with its results, for example), with what is known about it. */
export interface Turn {
  /** Position of the source message. */
  at: number
  messages: JsonRecord[]
  /** ISO 8601. */
  time: string
  usage: ReportedUsage | null
  request: AnsweredRequest | null
}

/** Id of a session's `n`th line: a UUID that differs from the session's in its last digits. */
export function lineId(session: string, n: number): string {
  return session.slice(0, 24) + n.toString(16).padStart(12, '0')
}

/** One JSON object per line. */
export function jsonLines(records: readonly JsonRecord[]): string {
  return records.map((record) => `${jsonOf(record)}\n`).join('')
}

/** JSON text. Bytes become base64, the form that formats with bytes accept in JSON. */
export function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    function (this: JsonRecord, key, field: unknown) {
      return bytesText(this[key]) ?? field
    },
    indent,
  )
}
