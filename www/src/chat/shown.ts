import type { EditReport } from 'trimtab'
import type { Conversation, Note } from './agent/conversation.js'
import type { History } from './agent/history.js'
import type { HeldPace } from './agent/pace.js'
import type { SentRequest } from './agent/requests.js'
import type { Row } from './agent/thread.js'
import type { Trim } from './agent/trims.js'
import type { Recording } from './recording.js'

/** A recorded session that is shown. */
export interface Replay {
  readonly name: string
  readonly recording: Recording
  readonly pace: HeldPace
  /** Whether it is shown as a whole, in place of being played. */
  readonly isWhole: boolean
  /** How many requests the session has. */
  readonly requests: number
}

/** What the page shows of the conversation: taken once per frame, however often it changed. */
export interface Shown {
  readonly conversation: Conversation
  readonly history: History
  readonly rows: readonly Row[]
  readonly requests: readonly SentRequest[]
  readonly messages: readonly object[]
  readonly notes: readonly Note[]
  /** What the last request had otherwise than the history, by block. */
  readonly edits: ReadonlyMap<string, EditReport>
  readonly trims: readonly Trim[]
}
