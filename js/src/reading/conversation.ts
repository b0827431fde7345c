import { kind, LIST } from '../base/check.js'
import { cut } from '../base/text.js'
import type { Format } from '../generated/types.js'
import { neutralHistory } from '../history/read-messages.js'

/** What somebody said. */
export interface ConversationMessage {
  /** `user`, `assistant`, or what the host calls it. */
  role: string
  text: string
}

/** A list of {@link ConversationMessage}. */
export const CONVERSATION = kind<readonly ConversationMessage[]>(
  'an array of {role, text}: see conversationOf(messages)',
  (value) => LIST.is(value) && value.every(isSaid),
)

function isSaid(message: unknown): boolean {
  const { role, text } = (message ?? {}) as Partial<ConversationMessage>
  return typeof role === 'string' && typeof text === 'string'
}

/** How many messages, and of each how many UTF-16 units, say what a conversation is about. */
const RECENT_MESSAGES = 6
const MESSAGE_LENGTH = 300

/** The newest messages, each cut to the length at which document "Unified read_file" cuts them. */
export function recentMessages(
  conversation: readonly ConversationMessage[] = [],
  count: number = RECENT_MESSAGES,
): ConversationMessage[] {
  const said = conversation.filter(({ text }) => text.trim() !== '')
  return said.slice(-count).map(({ role, text }) => ({ role, text: shortened(text.trim()) }))
}

function shortened(text: string): string {
  return text.length <= MESSAGE_LENGTH ? text : `${cut(text, MESSAGE_LENGTH)}...`
}

/** What was said in a history. */
export function saidIn(messages: readonly object[], format?: Format): ConversationMessage[] {
  const history = neutralHistory(messages, format)
  return history.messages.flatMap(({ role }, at) => {
    if (role !== 'user' && role !== 'assistant') return []
    const text = history.saidIn(at)
    return text.trim() === '' ? [] : [{ role, text }]
  })
}

/** In so many of the newest messages it is looked for what was said: most of an agent's are calls and results. */
const SEARCHED_MESSAGES = 100

/** What a history is about now, in words: what was said last, as {@link recentMessages} cuts it. */
export function recentText(messages: readonly object[], format: Format): string {
  const said = recentMessages(saidIn(messages.slice(-SEARCHED_MESSAGES), format))
  return said.map(({ text }) => text).join('\n')
}

/** What the user asked last: what a cached curation was made for. */
export function lastQuestion(conversation: readonly ConversationMessage[] = []): string {
  return conversation.findLast(({ role }) => role === 'user')?.text ?? ''
}
