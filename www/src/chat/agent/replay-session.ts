import type { Transcript } from 'trimtab/transcripts'
import type { Conversation } from './conversation.js'
import type { History } from './history.js'
import type { ModelEvent } from './model.js'
import { requestsIn } from './recorded-requests.js'

/** Timing of a replay. */
export interface Pace {
  /** Waits a number of milliseconds in the replay's time; rejects when the replay ends. */
  wait(milliseconds: number): Promise<void>
  /** Waits while the replay is paused, before each request. */
  turn(): Promise<void>
}

/** Characters per chunk of an answer, and the pause after each in milliseconds. */
const CHUNK = { characters: 24, pause: 30 }
const CALL_PAUSE = 350

/**
 * Plays a recorded session as if its agent worked now. Before each answer a request is made under the conversation's
 * policy; then the answer streams and the recorded results follow. Ends with the session, or when `pace` rejects.
 *
 * @param history The facts of the session.
 */
export async function replaySession(
  conversation: Conversation,
  { messages, times }: Transcript,
  history: History,
  pace: Pace,
): Promise<void> {
  const requests = new Map(requestsIn(history.messages, times).map(({ at, time }) => [at, time]))
  for (let at = conversation.messages.length; at < messages.length; at++) {
    const message = messages[at] as object
    const facts = history.messages[at]
    if (facts?.role !== 'assistant') {
      conversation.append([message])
      await pace.wait(CALL_PAUSE)
      continue
    }
    const time = requests.get(at)
    if (time !== undefined) {
      await pace.turn()
      await conversation.request(time)
    }
    let calls = 0
    for (const block of facts.blocks) {
      if (block.kind === 'tool-call') {
        conversation.receive({ type: 'call', index: calls, name: block.tool ?? 'tool', arguments: '' })
        calls += 1
        await pace.wait(CALL_PAUSE)
      } else if (block.kind === 'text' || block.kind === 'reasoning') {
        await stream(conversation, block.kind, history.textOf(block), pace)
      }
    }
    conversation.receive({ type: 'answer', messages: [message] } satisfies ModelEvent)
  }
}

async function stream(
  conversation: Conversation,
  type: 'text' | 'reasoning',
  text: string,
  pace: Pace,
): Promise<void> {
  for (const part of chunksOf(text, CHUNK.characters)) {
    conversation.receive({ type, text: part })
    await pace.wait(CHUNK.pause)
  }
}

/** Divides a text into parts of `size` characters, none of which ends inside a surrogate pair. */
export function chunksOf(text: string, size: number): string[] {
  const letters = [...text]
  const parts: string[] = []
  for (let at = 0; at < letters.length; at += size) parts.push(letters.slice(at, at + size).join(''))
  return parts
}
