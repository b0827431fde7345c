import type { Format, Policy, State } from 'trimtab'
import type { Note } from './draft.js'
import type { SentRequest } from './requests.js'
import type { EarlierSegment } from './segments.js'
import type { Origin } from './variants.js'

/** A conversation as plain JSON. */
export interface SavedConversation {
  readonly id: string
  readonly title: string
  readonly format: Format
  readonly messages: readonly object[]
  readonly requests: readonly SentRequest[]
  readonly notes: readonly Note[]
  readonly policy: Policy
  readonly isPaused: boolean
  readonly state?: State
  /** Indices of messages that contain a summary of the messages before them. */
  readonly summaries?: readonly number[]
  /** Earlier segments, replaced by summaries, in order. */
  readonly earlier?: readonly EarlierSegment[]
  /** The conversation that it branched from. */
  readonly origin?: Origin
  readonly updated: number
}
