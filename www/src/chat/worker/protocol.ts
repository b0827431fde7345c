import type { Format, MessageFacts, Policy, State } from 'trimtab'
import type { Bounds, LostEvidence, Prices, SimulatedPolicy } from 'trimtab/money'
import type { Transcript } from 'trimtab/transcripts'
import type { SentRequest } from '../agent/requests.js'

/** What the page asks of a worker, which has one session: opened from its file, or given in portions of messages. */
export type Asked =
  | { readonly kind: 'open'; readonly file: Blob; readonly name: string }
  /** Works out the requests under a policy; what was asked before ends. */
  | { readonly kind: 'account'; readonly run: number; readonly policy: Policy }
  /** Works out no more of them. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'messages'; readonly messages: readonly object[] }
  | ({ readonly kind: 'compare' } & Comparing)
  | ({ readonly kind: 'preview' } & Previewed)

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
  | { readonly kind: 'opened'; readonly about: About }
  /** The next requests of a run, in order. */
  | { readonly kind: 'requests'; readonly run: number; readonly requests: readonly SentRequest[] }
  | { readonly kind: 'accounted'; readonly run: number; readonly state: State | undefined }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'policy'; readonly policy: SimulatedPolicy }
  | { readonly kind: 'lost'; readonly lost: readonly LostEvidence[] }
  | { readonly kind: 'compared'; readonly cheapest: string; readonly requests: number }
  | { readonly kind: 'done'; readonly bounds: Bounds | null }
  | { readonly kind: 'preview'; readonly name: string; readonly next: NextRequest }
  | { readonly kind: 'failed'; readonly reason: string }

/** The next request under a policy. Tokens are estimates. */
export interface NextRequest {
  readonly full: number
  readonly sent: number
  readonly edits: number
}
