/** An earlier part of a conversation that a summary replaces. It is stored unchanged as a separate conversation. */
export interface EarlierSegment {
  /** The id of the conversation that it is stored as. */
  readonly id: string
  /** First and last message replaced by the summary, counted from 1 over all segments. */
  readonly from: number
  readonly to: number
  /** Number of its messages before those that the next segment also has. */
  readonly cut: number
  /** In the next segment: the index of the summary, and the number of messages before those that were kept. */
  readonly summary: number
  readonly head: number
  readonly by: 'model' | 'mechanical'
  /** Estimated tokens of the history. */
  readonly tokens: { readonly before: number; readonly after: number }
  /** Cost of its requests, in tokens of input. */
  readonly cost: { readonly sent: number; readonly full: number }
}

/** Returns the cost of all segments together. */
export const costWith = (earlier: readonly EarlierSegment[], last: EarlierSegment['cost']) =>
  earlier.reduce((sum, { cost }) => ({ sent: sum.sent + cost.sent, full: sum.full + cost.full }), last)

/** A compaction, proposed or done. */
export interface Compacted extends Pick<EarlierSegment, 'cut' | 'summary' | 'head' | 'by' | 'tokens'> {
  /** The compacted history. */
  readonly messages: readonly object[]
  /** Index of the first message that the summary replaces. */
  readonly first: number
  /** Number of messages replaced, and their tokens. */
  readonly dropped: { readonly messages: number; readonly tokens: number }
  /** The prompt that asks a model for the summary. */
  readonly prompt: string
  /** Why the model's summary was rejected. */
  readonly failure?: string
}

/** Why a history cannot be compacted. */
export type NotCompacted = 'nothing-to-drop' | 'no-gain'

export interface Compacting {
  /** Number of newest messages to keep. */
  readonly keep: number
  /** The model's summary; without one, a summary is built without a model. */
  readonly summary?: string
}

/** Returns the difference between message numbers over all segments and within the last one. */
const shiftOf = (earlier: readonly EarlierSegment[]): number =>
  earlier.reduce((sum, { cut, head }) => sum + cut - head, 0)

/** Returns the segment that ends where a history was compacted. */
export function segmentOf(
  earlier: readonly EarlierSegment[],
  { cut, summary, head, by, tokens, first }: Compacted,
  { id, cost }: Pick<EarlierSegment, 'id' | 'cost'>,
): EarlierSegment {
  const from = (earlier.at(-1)?.to ?? first) + 1
  return { id, from, to: cut + shiftOf(earlier), cut, summary, head, by, tokens, cost }
}

/**
 * Returns all messages of a conversation, each once: a summary comes between the messages that it replaces and those
 * that follow.
 */
export function wholeOf(
  earlier: readonly { readonly segment: EarlierSegment; readonly messages: readonly object[] }[],
  messages: readonly object[],
): object[] {
  const whole: object[] = []
  let head = 0
  earlier.forEach(({ segment, messages: own }, at) => {
    const next = earlier[at + 1]?.messages ?? messages
    whole.push(...own.slice(head, segment.cut), next[segment.summary] as object)
    head = segment.head
  })
  return [...whole, ...messages.slice(head)]
}

/** Matches the start of a summary, as written by the package or by Claude Code. */
const SUMMARY =
  /^\s*(\[Summary of the conversation so far\.|This session is being continued from a previous conversation)/

/** Returns whether the text of a user message is a summary. */
export const isSummaryText = (text: string): boolean => SUMMARY.test(text)
