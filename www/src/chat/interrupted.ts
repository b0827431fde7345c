import { readStored, writeStored } from '../storage.js'
import type { Conversation } from './agent/conversation.js'
import { replay, shown } from './state.js'

/** The part of an answer that had arrived when the page was closed, after so many messages. */
interface Partial {
  readonly after: number
  readonly text: string
}

const nameOf = (chat: string) => `trimtab.partial.${chat}`

/** Stores the answer that is streaming when the page is closed: a worker would be ended before it has saved it. */
export function keepPartialAnswer(): void {
  addEventListener('pagehide', () => {
    const { conversation } = shown.peek()
    const text = conversation.draft?.text.trim() ?? ''
    if (text === '' || replay.peek() !== null) return
    const partial = { after: conversation.messages.length, text } satisfies Partial
    writeStored(nameOf(conversation.id), JSON.stringify(partial))
  })
  // The browser kept the page in memory: the answer may still arrive as a whole.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) forgetPartialAnswer(shown.peek().conversation.id)
  })
}

/** Adds the part of an answer that was stored for a conversation, unless it has gone on since. */
export function addPartialAnswer(conversation: Conversation): void {
  const partial = read(conversation.id)
  if (partial === null) return
  // Stays stored until the chat is saved with it: the page may be closed again before.
  if (partial.after === conversation.messages.length) conversation.interrupted(partial.text, Date.now())
  else forgetPartialAnswer(conversation.id)
}

export const forgetPartialAnswer = (chat: string) => writeStored(nameOf(chat), null)

function read(chat: string): Partial | null {
  try {
    const { after, text } = JSON.parse(readStored(nameOf(chat)) ?? 'null') as Partial
    return typeof after === 'number' && typeof text === 'string' ? { after, text } : null
  } catch {
    return null
  }
}
