import { signal } from '@preact/signals'

/** A place to scroll the thread to. */
export interface Place {
  readonly message: number
  /** Index of the block in the message; its first block if absent. */
  readonly block?: number
  /** Id of the conversation; the open one if absent. */
  readonly chat?: string
  /** Text to mark there; the row that contains it is opened. */
  readonly text?: string
}

/** The requested place. A new object each time, so that the same place can be requested twice. */
export const place = signal<Place | null>(null)
