import type { EditReport } from 'trimtab'
import type { Conversation } from './agent/conversation.js'
import type { Note } from './agent/draft.js'
import type { History } from './agent/history.js'
import type { HeldPace } from './agent/pace.js'
import { RequestIndex } from './agent/request-index.js'
import type { SentRequest } from './agent/requests.js'
import { type Row, rowsOf } from './agent/thread.js'
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

const indices = new WeakMap<Conversation, RequestIndex>()

/** Returns the present state of a conversation. */
export function snapshot(of: Conversation): Shown {
  const { requests, notes } = of
  return shownOf(of, { history: of.history(), requests, notes })
}

/** Returns the state at the time a request was sent. */
export function asItWas(now: Shown, at: number): Shown {
  const request = now.requests[at]
  if (request === undefined) return now
  return shownOf(now.conversation, {
    history: now.conversation.history(request.messages),
    requests: now.requests.slice(0, at + 1),
    notes: now.notes.filter(({ after }) => after < request.messages),
  })
}

function shownOf(conversation: Conversation, was: Pick<Shown, 'history' | 'requests' | 'notes'>): Shown {
  const index = indices.get(conversation) ?? new RequestIndex()
  indices.set(conversation, index)
  index.take(conversation.requests)
  const edits = index.editsAfter(was.requests.length)
  const trims = index.trims(was.requests.length)
  const { messages } = conversation
  return {
    conversation,
    ...was,
    messages,
    edits,
    trims,
    rows: rowsOf({ ...was, trims, summaries: conversation.summaries }),
  }
}
