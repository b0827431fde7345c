import { readable } from '../base/check.js'
import { counted } from '../base/text.js'
import { writeConversation } from '../formats/convert.js'
import type { Format } from '../generated/types.js'
import { classesOf } from '../history/message-class.js'
import { isMarkedSummary, markSummary } from '../history/summaries.js'

const HEADER = '[Summary of the conversation so far. It stands for'

/** Builds the message that replaces the dropped messages. It is a user message, since every provider accepts that. */
export function summaryMessage<M extends object>(
  summary: string,
  count: number,
  format: Format,
  history: readonly M[],
): M {
  const text = `${HEADER} ${counted(count, 'earlier message')}.]\n\n${summary}`
  const [message] = writeConversation(
    [{ role: 'user', blocks: [{ kind: 'text', text }], at: 0, results: [] }],
    format,
  ) as [M]
  const marked = takesMetadata(format, history)
    ? { ...message, metadata: { compaction: true } }
    : classesOf(history)(message)
  markSummary(marked)
  return marked
}

/** Returns the summary in a text that {@link summaryMessage} wrote, or in a copy of it; `undefined` for other texts. */
export function summaryIn(text: string): string | undefined {
  if (!text.startsWith(HEADER)) return undefined
  const end = text.indexOf('.]\n\n')
  return end < 0 ? undefined : text.slice(end + 4)
}

/** Returns the number of messages that an earlier summary stands for; `1` for the text of another message. */
export const messagesBehind = (text: string): number =>
  summaryIn(text) === undefined ? 1 : Number.parseInt(text.slice(HEADER.length), 10) || 1

/**
 * Whether a `metadata` field may be added: the format defines one, or the host's messages have one. Providers reject
 * unknown fields.
 */
function takesMetadata(format: Format, history: readonly object[]): boolean {
  return (
    format === 'ai-sdk-ui' ||
    (format === 'openai-chat' && readable('messages', () => history.some((message) => 'metadata' in message)))
  )
}

/**
 * Whether a message is a summary made by {@link compact}: recognised as the object that was made or that `loadSession`
 * restored, or by `metadata.compaction`. A copy of the object without that field is not recognised.
 */
export function isSummary(message: object): boolean {
  return readable('message', () => {
    if (typeof message !== 'object' || message === null) return false
    const { metadata } = message as { metadata?: { compaction?: unknown } | null }
    return isMarkedSummary(message) || metadata?.compaction === true
  })
}
