import type { Format } from 'trimtab'
import { compact } from 'trimtab/compaction'
import { reasonOf } from './reason.js'
import type { Compacted, Compacting, NotCompacted } from './segments.js'

/** Compacts a history of any size, with the model's summary or without one. */
export async function compacted(
  messages: readonly object[],
  format: Format,
  { keep, summary }: Compacting,
): Promise<Compacted | NotCompacted> {
  let prompt = ''
  const summarize = (asked: string) => {
    prompt = asked
    if (summary === undefined) throw new Error('nobody was asked')
    return summary
  }
  const options = { format, threshold: 0, keepRecentMessages: keep, summarize }
  const { by, compacted: isCompacted, dropped, failure, ...made } = await compact(messages, options)
  if (!isCompacted) return made.reason === 'no-gain' ? 'no-gain' : 'nothing-to-drop'
  const kept = keptAtEnd(made.messages, messages)
  const known = new Set(messages)
  return {
    messages: made.messages,
    cut: messages.length - kept,
    head: made.messages.length - kept,
    summary: made.messages.findIndex((message) => !known.has(message)),
    by: by === 'model' ? 'model' : 'mechanical',
    tokens: { before: made.tokensBefore, after: made.tokensAfter },
    first: dropped.indices[0] ?? 0,
    dropped: { messages: dropped.indices.length, tokens: dropped.tokens },
    prompt,
    ...(summary === undefined || failure === undefined ? {} : { failure: reasonOf(failure) }),
  }
}

/** Returns the number of trailing messages that two lists share. */
function keptAtEnd(one: readonly object[], other: readonly object[]): number {
  let kept = 0
  while (kept < one.length && one.at(-1 - kept) === other.at(-1 - kept)) kept++
  return kept
}
