import type { JsonRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import type { AnsweredRequest } from '../tokens/cache-writes.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'

/** A kind of session file: what an agent writes, or a plain list of messages of a format. */
export type TranscriptKind = 'claude-code' | 'codex' | 'pi' | 'swe-agent' | 'api-log' | `${Format}-messages`

/** Lines (or, in a file that is one JSON document, entries) that carry no message, grouped by reason. */
export interface SkippedLines {
  reason: string
  count: number
  /** What `first` counts: lines of the file, or entries of its list. Both from 1. */
  unit: 'line' | 'entry'
  /** The first few of them, in file order. */
  first: number[]
}

/** What `readTranscript` read: the messages, and what the file says beside them. */
export interface Transcript {
  kind: TranscriptKind
  /** The wire format of `messages`. */
  format: Format
  messages: object[]
  skipped: SkippedLines[]
  title?: string
  /** The system prompt, where the file has it beside the messages, or the format wants it there. */
  system?: string
  /** When each message came, in milliseconds since 1970, by position; absent where the file says no times. */
  times?: (number | null)[]
  /** What the provider reported for each message that it answered with, by position; absent where it did not. */
  usage?: (ReportedUsage | null)[]
  /** What else is said of the request that a message answers, by position; absent where nothing is. */
  requests?: (AnsweredRequest | null)[]
}

/** Options of `readTranscript`. */
export interface ReadTranscriptOptions {
  /** Named in error messages; never used to detect the kind. */
  name?: string
  /**
   * `live` (default): what the model sees now, so from the last compaction on, on the branch that was continued.
   * `full`: the continued branch from its start, across compactions.
   */
  history?: 'live' | 'full'
  onProgress?: (doneChars: number, totalChars: number) => void
}

/** One JSON object of the file, with its line (or entry) number from 1. */
export interface RecordAt {
  at: number
  value: JsonRecord
}
