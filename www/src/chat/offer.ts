import { signal } from '@preact/signals'
import type { Conversation } from './agent/conversation.js'
import type { Compacted } from './agent/segments.js'

/** A proposed compaction that the user has not confirmed. */
export interface Offer {
  readonly conversation: Conversation
  /** The messages at the time of the offer; when they change, the offer is withdrawn. */
  readonly messages: readonly object[]
  readonly made: Compacted
}

/** The current offer; `null` if there is none. */
export const offered = signal<Offer | null>(null)
