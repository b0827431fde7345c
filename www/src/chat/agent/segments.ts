/** An earlier part of a conversation that a summary stands for. It is kept as a conversation of its own, as it was. */
export interface EarlierSegment {
  /** Of the conversation that it is kept as. */
  readonly id: string
  /** The messages that the summary stands for, counted from 1 over all segments. */
  readonly from: number
  readonly to: number
  /** So many of its messages stand in front of those that the next segment has as well. */
  readonly cut: number
  /** In the next segment: where the summary is, and how many messages stand in front of those that were kept. */
  readonly summary: number
  readonly head: number
  readonly by: 'model' | 'mechanical'
  /** Estimated tokens of the history. */
  readonly tokens: { readonly before: number; readonly after: number }
  /** What its requests cost, as so many tokens of input. */
  readonly cost: { readonly sent: number; readonly full: number }
}

/** What all segments cost together. */
export const costWith = (earlier: readonly EarlierSegment[], last: EarlierSegment['cost']) =>
  earlier.reduce((sum, { cost }) => ({ sent: sum.sent + cost.sent, full: sum.full + cost.full }), last)

/** How a history can be compacted, or was. */
export interface Compacted extends Pick<EarlierSegment, 'cut' | 'summary' | 'head' | 'by' | 'tokens'> {
  /** The history to go on with. */
  readonly messages: readonly object[]
  /** The first message that the summary stands for. */
  readonly first: number
  /** How many it stands for, and their tokens. */
  readonly dropped: { readonly messages: number; readonly tokens: number }
  /** What a model is asked for a summary. */
  readonly prompt: string
  /** Why the model's summary was not taken. */
  readonly failure?: string
}

/** Why a history cannot be compacted. */
export type NotCompacted = 'nothing-to-drop' | 'no-gain'

export interface Compacting {
  /** How many of the newest messages stay as they are. */
  readonly keep: number
  /** The model's summary; one is put together without a model where there is none. */
  readonly summary?: string
}

/** How far the numbers of a segment's messages are from those over all segments. */
const shiftOf = (earlier: readonly EarlierSegment[]): number =>
  earlier.reduce((sum, { cut, head }) => sum + cut - head, 0)

/** The segment that ends where a history was compacted. */
export function segmentOf(
  earlier: readonly EarlierSegment[],
  { cut, summary, head, by, tokens, first }: Compacted,
  { id, cost }: Pick<EarlierSegment, 'id' | 'cost'>,
): EarlierSegment {
  const from = (earlier.at(-1)?.to ?? first) + 1
  return { id, from, to: cut + shiftOf(earlier), cut, summary, head, by, tokens, cost }
}

/** All messages of a conversation, each once: a summary stands between what it stands for and what follows. */
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

/** How a message begins that stands for others: as the package writes it, and as Claude Code does. */
const SUMMARY =
  /^\s*(\[Summary of the conversation so far\.|This session is being continued from a previous conversation)/

/** Whether what a user is said to have said is a summary. */
export const isSummaryText = (text: string): boolean => SUMMARY.test(text)
