import { readable } from '../base/check.js'
import { writeConversation } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import { isMarkedSummary, markSummary } from '../history/summaries.js'

const HEADER = '[Summary of the conversation so far. It stands for'

/** The message that replaces the dropped messages: what a user says, since every provider takes that. */
export function summaryMessage<M extends object>(
  summary: string,
  count: number,
  format: Format,
  history: readonly M[],
): M {
  const text = `${HEADER} ${count} earlier message${count === 1 ? '' : 's'}.]\n\n${summary}`
  const [message] = writeConversation(
    [{ role: 'user', blocks: [{ kind: 'text', text }], at: 0, results: [] }],
    format,
  ) as [M]
  const marked = takesMetadata(format, history) ? { ...message, metadata: { compaction: true } } : message
  markSummary(marked)
  return marked
}

/** Where the format or this host already has `metadata`; no message gains a field that its provider refuses. */
function takesMetadata(format: Format, history: readonly object[]): boolean {
  return (
    format === 'ai-sdk-ui' || (format === 'openai-chat' && history.some((message) => 'metadata' in message))
  )
}

/**
 * Whether a message is a summary of {@link compact}: as the object that was made, or that `loadSession` made of it, or by
 * `metadata.compaction`. A copy of the object without that mark is not known again.
 */
export function isSummary(message: object): boolean {
  return readable('message', () => isOne(message))
}

function isOne(message: object): boolean {
  if (typeof message !== 'object' || message === null) return false
  const { metadata } = message as { metadata?: { compaction?: unknown } | null }
  return isMarkedSummary(message) || metadata?.compaction === true
}
