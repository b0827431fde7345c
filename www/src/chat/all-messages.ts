import type { Conversation } from './agent/conversation.js'
import { wholeOf } from './agent/segments.js'
import { Desk } from './desk.js'

/**
 * Returns all messages of a chat, including those replaced by summaries.
 *
 * @throws Error if an earlier segment is not stored any more
 */
export async function allMessages({ earlier, messages }: Conversation): Promise<readonly object[]> {
  const segments = []
  for (const segment of earlier) {
    const desk = new Desk()
    const loaded = await desk.load(segment.id)
    desk.close()
    if (loaded === null) throw new Error('an earlier segment is not kept any more')
    segments.push({ segment, messages: loaded.conversation.messages })
  }
  return wholeOf(segments, messages)
}
