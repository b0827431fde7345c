import type { JsonRecord } from '../base/json.js'
import type { Format } from '../generated/types.js'
import type { AnsweredRequest } from '../tokens/cache-writes.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'

/** Kind of a session file: an agent's own file, or a plain list of messages of a format. */
export type TranscriptKind = 'claude-code' | 'codex' | 'pi' | 'swe-agent' | 'api-log' | `${Format}-messages`

/** Lines (or entries, if the file is one JSON document) without a message, grouped by reason. */
export interface SkippedLines {
  reason: string
  count: number
  /** Unit of `first`: lines of the file, or entries of its list. Both from 1. */
  unit: 'line' | 'entry'
  /** The first few of them, in file order. */
  first: number[]
}

/** Result of `readTranscript`. */
export interface Transcript {
  kind: TranscriptKind
  /** Wire format of `messages`. */
  format: Format
  messages: object[]
  skipped: SkippedLines[]
  title?: string
  /** System prompt, if the file stores it outside the messages, or the format requires that. */
  system?: string
  /** Time of each message, in milliseconds since 1970, by position; absent if the file has no times. */
  times?: (number | null)[]
  /** Usage reported by the provider for each answer, by position; absent if there is none. */
  usage?: (ReportedUsage | null)[]
  /** Further facts about the request that a message answers, by position; absent if there are none. */
  requests?: (AnsweredRequest | null)[]
}

/** Options of `readTranscript`. */
export interface ReadTranscriptOptions {
  /** Name in error messages; never used to detect the kind. */
  name?: string
  /**
   * `live` (default): what the model sees now: from the last compaction on, on the branch that was continued. `full`:
   * the continued branch from its start, including what was compacted.
   */
  history?: 'live' | 'full'
  onProgress?: (doneChars: number, totalChars: number) => void
}

/** A JSON object of the file, with its line (or entry) number from 1. */
export interface RecordAt {
  at: number
  value: JsonRecord
}
