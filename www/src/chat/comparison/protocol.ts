import type { Format, Policy, State } from 'trimtab'
import type { Bounds, LostEvidence, Prices, SimulatedPolicy } from 'trimtab/money'

/** What the page asks of the worker. Messages come first, in portions; then one session is compared, and looked at. */
export type Asked =
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

/** What the worker tells the page. */
export type Told =
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
