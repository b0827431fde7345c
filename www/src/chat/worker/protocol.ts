import type { Format, MessageFacts, Policy, State } from 'trimtab'
import type { Bounds, LostEvidence, Prices, SimulatedPolicy } from 'trimtab/money'
import type { Transcript } from 'trimtab/transcripts'
import type { Start } from '../agent/decisions.js'
import type { Files } from '../agent/places.js'
import type { SentRequest } from '../agent/requests.js'
import type { SavedConversation } from '../agent/saved-conversation.js'
import type { Compacted, Compacting } from '../agent/segments.js'
import type { Outlined } from '../content/outlined.js'
import type { Hit, Search } from '../search/chats.js'
import type { PackedView } from './packed-view.js'

/**
 * Messages from the page to a worker. A worker has one session, opened from its file or received in portions of
 * messages.
 */
export type Asked =
  /** The engine, compiled by the page. All other messages wait for it. */
  | { readonly kind: 'core'; readonly module: WebAssembly.Module }
  | { readonly kind: 'open'; readonly file: Blob; readonly name: string }
  /** Computes the requests under a policy; cancels the run before. */
  | { readonly kind: 'account'; readonly run: number; readonly policy: Policy }
  /** Cancels the run. */
  | { readonly kind: 'rest' }
  /** A portion of the messages, starting at index `from`; those before it are unchanged. */
  | { readonly kind: 'messages'; readonly from: number; readonly messages: readonly object[] }
  /** Starts new decisions for the next requests of the session. */
  | { readonly kind: 'decide'; readonly start: Start }
  /** Work that is answered by an `answer` with this number. */
  | { readonly kind: 'work'; readonly number: number; readonly work: Work }
  /** Searches stored chats; cancels the search before. */
  | ({ readonly kind: 'search' } & Search)
  | ({ readonly kind: 'compare' } & Comparing)
  | ({ readonly kind: 'preview' } & Previewed)

/** Work on all messages that the worker has. */
export type Work =
  | { readonly kind: 'next'; readonly now: number }
  | { readonly kind: 'ahead'; readonly now: number }
  | { readonly kind: 'endTurn' }
  | { readonly kind: 'compact'; readonly how: Compacting }
  | { readonly kind: 'recall'; readonly args: unknown }
  | { readonly kind: 'save'; readonly conversation: KeptConversation; readonly files: Files }
  /** Reads a saved conversation, and transfers its messages. */
  | { readonly kind: 'load'; readonly id: string }
  /** Returns the outline view of a file. */
  | { readonly kind: 'view'; readonly file: Outlined }

/** A conversation without its messages, which the worker has. */
export type KeptConversation = Omit<SavedConversation, 'messages'>

/** Answer to `next`. */
export interface PackedRequest {
  readonly view: PackedView
  readonly request: SentRequest
  readonly state: State
}

/** Answer to `compact`, if the history can be compacted. */
export type PackedCompaction = Omit<Compacted, 'messages'> & { readonly view: PackedView }

/** Answer to `load`. */
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

/** A policy to preview: what would the next request be? */
export interface Previewed {
  readonly name: string
  readonly policy: Policy
  readonly format: Format
  /** Number of messages so far. */
  readonly messages: number
  /** The decisions so far. */
  readonly state?: State
}

/** A session without its messages. */
export type About = Omit<Transcript, 'messages'>

/** Messages from a worker to the page. */
export type Told =
  /** A portion of the opened session, in order. */
  | { readonly kind: 'read'; readonly messages: readonly object[]; readonly facts: readonly MessageFacts[] }
  | { readonly kind: 'opened'; readonly about: About; readonly summaries: readonly number[] }
  /** The next requests of a run, in order, and the decisions so far. */
  | {
      readonly kind: 'requests'
      readonly run: number
      readonly requests: readonly SentRequest[]
      readonly state?: State
    }
  | { readonly kind: 'accounted'; readonly run: number }
  /** Places in the next chat. */
  | { readonly kind: 'found'; readonly run: number; readonly hits: readonly Hit[] }
  | { readonly kind: 'searched'; readonly run: number }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'policy'; readonly policy: SimulatedPolicy }
  | { readonly kind: 'lost'; readonly lost: readonly LostEvidence[] }
  | { readonly kind: 'compared'; readonly cheapest: string; readonly requests: number }
  | { readonly kind: 'done'; readonly bounds: Bounds | null }
  | { readonly kind: 'preview'; readonly name: string; readonly next: NextRequest }
  | { readonly kind: 'answer'; readonly number: number; readonly value: unknown }
  /** The work with this number failed; without a number, any other message. `code` is that of a `TrimtabError`. */
  | { readonly kind: 'failed'; readonly number?: number; readonly reason: string; readonly code?: string }

/** The next request under a policy. Tokens are estimates. */
export interface NextRequest {
  readonly full: number
  readonly sent: number
  readonly edits: number
}
