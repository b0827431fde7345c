import type { Format, MessageFacts, Policy, State } from 'trimtab'
import type { Bounds, LostEvidence, Prices, SimulatedPolicy } from 'trimtab/money'
import type { Transcript } from 'trimtab/transcripts'
import type { SavedConversation } from '../agent/conversation.js'
import type { Start } from '../agent/decisions.js'
import type { Files } from '../agent/places.js'
import type { SentRequest } from '../agent/requests.js'
import type { Compacted, Compacting } from '../agent/segments.js'
import type { Outlined } from '../content/outlined.js'
import type { PackedView } from './packed-view.js'

/** What the page asks of a worker, which has one session: opened from its file, or given in portions of messages. */
export type Asked =
  /** The engine, which the page has compiled: everything else waits for it. */
  | { readonly kind: 'core'; readonly module: WebAssembly.Module }
  | { readonly kind: 'open'; readonly file: Blob; readonly name: string }
  /** Works out the requests under a policy; what was asked before ends. */
  | { readonly kind: 'account'; readonly run: number; readonly policy: Policy }
  /** Works out no more of them. */
  | { readonly kind: 'rest' }
  /** The messages from a place on, in portions: those before it are as they were. */
  | { readonly kind: 'messages'; readonly from: number; readonly messages: readonly object[] }
  /** What the next requests of the session are decided from. */
  | { readonly kind: 'decide'; readonly start: Start }
  /** What is answered by an `answer` with this number. */
  | { readonly kind: 'work'; readonly number: number; readonly work: Work }
  | ({ readonly kind: 'compare' } & Comparing)
  | ({ readonly kind: 'preview' } & Previewed)

/** What is done with all messages that the worker has. */
export type Work =
  | { readonly kind: 'next'; readonly now: number }
  | { readonly kind: 'ahead'; readonly now: number }
  | { readonly kind: 'endTurn' }
  | { readonly kind: 'compact'; readonly how: Compacting }
  | { readonly kind: 'recall'; readonly args: unknown }
  | { readonly kind: 'save'; readonly conversation: KeptConversation; readonly files: Files }
  /** Reads a conversation that was saved, and hands its messages over. */
  | { readonly kind: 'load'; readonly id: string }
  /** Shows a file by its outline. */
  | { readonly kind: 'view'; readonly file: Outlined }

/** A conversation without its messages, which the worker has. */
export type KeptConversation = Omit<SavedConversation, 'messages'>

/** What `next` answers. */
export interface PackedRequest {
  readonly view: PackedView
  readonly request: SentRequest
  readonly state: State
}

/** What `compact` answers, where there is something to compact. */
export type PackedCompaction = Omit<Compacted, 'messages'> & { readonly view: PackedView }

/** What `load` answers. */
export interface LoadedConversation {
  readonly conversation: KeptConversation
  readonly files: Files
}

export interface Comparing {
  readonly policies: Readonly<Record<string, Policy>>
  readonly format: Format
  readonly prices: Prices
  readonly window: number
  readonly system?: string
  readonly times?: readonly (number | null)[]
}

/** A policy that is looked at before it is chosen: what would the next request be? */
export interface Previewed {
  readonly name: string
  readonly policy: Policy
  readonly format: Format
  /** How many messages there are so far. */
  readonly messages: number
  /** What has been decided so far. */
  readonly state?: State
}

/** A session without its messages. */
export type About = Omit<Transcript, 'messages'>

/** What the worker tells the page. */
export type Told =
  /** A portion of the session that is opened, in order. */
  | { readonly kind: 'read'; readonly messages: readonly object[]; readonly facts: readonly MessageFacts[] }
  | { readonly kind: 'opened'; readonly about: About; readonly summaries: readonly number[] }
  /** The next requests of a run, in order, and what was decided so far. */
  | {
      readonly kind: 'requests'
      readonly run: number
      readonly requests: readonly SentRequest[]
      readonly state?: State
    }
  | { readonly kind: 'accounted'; readonly run: number }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'policy'; readonly policy: SimulatedPolicy }
  | { readonly kind: 'lost'; readonly lost: readonly LostEvidence[] }
  | { readonly kind: 'compared'; readonly cheapest: string; readonly requests: number }
  | { readonly kind: 'done'; readonly bounds: Bounds | null }
  | { readonly kind: 'preview'; readonly name: string; readonly next: NextRequest }
  | { readonly kind: 'answer'; readonly number: number; readonly value: unknown }
  /** The work of this number failed; without one, whatever was asked. */
  | { readonly kind: 'failed'; readonly number?: number; readonly reason: string }

/** The next request under a policy. Tokens are estimates. */
export interface NextRequest {
  readonly full: number
  readonly sent: number
  readonly edits: number
}
