import { writeConversation } from '../convert/index.js'
import type { Format } from '../types.js'

const HEADER = '[Summary of the conversation so far. It stands for'
/** Summaries that were made here, for formats whose messages have no place for a mark. */
const made = new WeakSet<object>()

/** The message that stands for what was dropped: what a user says, since every provider takes that. */
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
  made.add(marked)
  return marked
}

/** Where the format or this host already has `metadata`; no message gains a field that its provider refuses. */
function takesMetadata(format: Format, history: readonly object[]): boolean {
  return (
    format === 'ai-sdk-ui' || (format === 'openai-chat' && history.some((message) => 'metadata' in message))
  )
}

/**
 * Whether a message is a summary of {@link compact}: by its mark, or as the object that was made here. In formats
 * without `metadata` a loaded session's summaries are not known again.
 */
export function isSummary(message: object): boolean {
  const { metadata } = message as { metadata?: { compaction?: unknown } | null }
  return made.has(message) || metadata?.compaction === true
}
