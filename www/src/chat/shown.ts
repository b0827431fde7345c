import type { EditReport } from 'trimtab'
import type { Conversation, Note } from './agent/conversation.js'
import type { History } from './agent/history.js'
import type { HeldPace } from './agent/pace.js'
import type { SentRequest } from './agent/requests.js'
import type { Row } from './agent/thread.js'
import type { Trim } from './agent/trims.js'
import type { Recording } from './recording.js'

/** A recorded session on display. */
export interface Replay {
  readonly name: string
  readonly recording: Recording
  readonly pace: HeldPace
  /** Whether it is shown as a whole instead of being played. */
  readonly isWhole: boolean
  /** Number of requests in the session. */
  readonly requests: number
}

/** Snapshot of the conversation that the page shows, taken at most once per frame. */
export interface Shown {
  readonly conversation: Conversation
  readonly history: History
  readonly rows: readonly Row[]
  readonly requests: readonly SentRequest[]
  readonly messages: readonly object[]
  readonly notes: readonly Note[]
  /** The edits of the last request, by block. */
  readonly edits: ReadonlyMap<string, EditReport>
  readonly trims: readonly Trim[]
}
