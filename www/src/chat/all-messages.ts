import type { Conversation } from './agent/conversation.js'
import { wholeOf } from './agent/segments.js'
import { Desk } from './desk.js'

/** All messages of a chat, with those that summaries stand for. */
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
