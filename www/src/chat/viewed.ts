import { signal } from '@preact/signals'
import type { EarlierSegment } from './agent/segments.js'

/** An earlier segment that is shown in the place of the chat that goes on from it. */
interface Viewed {
  /** The chat. */
  readonly chat: string
  /** Its earlier segments, and which of them is shown. */
  readonly earlier: readonly EarlierSegment[]
  readonly at: number
}

/** `null` where the chat itself is shown. */
export const viewed = signal<Viewed | null>(null)
