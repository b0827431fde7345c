import type { JsonRecord } from '../base/json.js'
import type { LostItem } from '../formats/types.js'
import type { Format } from '../generated/types.js'
import type { AnsweredRequest } from '../tokens/cache-writes.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'

/**
 * Kind of a session file: an agent's own file, a log of calls of a provider's API, a session of this package's
 * `fileStore`, or a plain list of messages of a format.
 */
export type TranscriptKind =
  | 'claude-code'
  | 'codex'
  | 'pi'
  | 'swe-agent'
  | 'api-log'
  | 'saved-session'
  | `${Format}-messages`

/** Kinds that `writeTranscript` writes: all but a log, which says what was sent, and no conversation tells that. */
export type WritableKind = Exclude<TranscriptKind, 'api-log'>

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
  /** Folder that the agent worked in, if the file has one other than `/`. */
  cwd?: string
}

/** Options of `readTranscript`. */
export interface ReadTranscriptOptions {
  /** Name in error messages; never used to detect the kind. */
  name?: string | undefined
  /**
   * `live` (default): what the model sees now: from the last compaction on, on the branch that was continued. `full`:
   * the continued branch from its start, including what was compacted.
   */
  history?: 'live' | 'full' | undefined
  onProgress?: ((doneChars: number, totalChars: number) => void) | undefined
}

/** A JSON object of the file, with its line (or entry) number from 1. */
export interface RecordAt {
  at: number
  value: JsonRecord
}

/** A fact about a session beside its messages, by the name of its option. */
export type SessionFact = 'title' | 'system' | 'times' | 'usage' | 'requests' | 'cwd'

/** Options of `writeTranscript`. Facts are given as `readTranscript` returns them. */
export interface WriteTranscriptOptions {
  kind: WritableKind
  /** The format of `messages`; detected from the structure by default. */
  format?: Format | undefined
  title?: string | undefined
  /** System prompt separate from `messages`. */
  system?: string | undefined
  /**
   * Time of each message, in milliseconds since 1970, by position. Where a file needs a time that is not given, it is
   * that of the message before, of the first message that has one, or else the start of 1970, which `readTranscript`
   * reads as no time.
   */
  times?: readonly (number | null)[] | undefined
  /** Usage reported by the provider for each answer, by position. */
  usage?: readonly (ReportedUsage | null)[] | undefined
  /** Further facts about the request that a message answers, by position. */
  requests?: readonly (AnsweredRequest | null)[] | undefined
  /** Folder that the agent worked in (default: `/`). Agents list sessions by it. */
  cwd?: string | undefined
}

/** Result of `writeTranscript`. */
export interface WrittenTranscript {
  text: string
  /** Ending of the names of such files, without the dot. */
  extension: 'json' | 'jsonl' | 'traj'
  /** Content of messages that the file cannot hold, or that `readTranscript` does not return from it. */
  lost: LostItem[]
  /** Facts that are known and that files of this kind do not hold, or only in part. */
  omitted: SessionFact[]
}
