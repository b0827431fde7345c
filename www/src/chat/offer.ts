import { signal } from '@preact/signals'
import type { Conversation } from './agent/conversation.js'
import type { Compacted } from './agent/segments.js'

/** How a chat would be compacted, before the user said so. */
export interface Offer {
  readonly conversation: Conversation
  /** The messages as they were then: when there are others, the offer is gone. */
  readonly messages: readonly object[]
  readonly made: Compacted
}

/** `null` where nothing is offered. */
export const offered = signal<Offer | null>(null)
