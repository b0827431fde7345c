import { signal } from '@preact/signals'
import type { EarlierSegment } from './agent/segments.js'

/** An earlier segment, on display instead of the chat that continues it. */
interface Viewed {
  /** The id of the chat. */
  readonly chat: string
  /** The chat's earlier segments, and the index of the one on display. */
  readonly earlier: readonly EarlierSegment[]
  readonly at: number
}

/** `null` if the chat itself is on display. */
export const viewed = signal<Viewed | null>(null)
