import { dataKind } from '../base/check.js'
import { shortened } from '../base/text.js'
import type { Format } from '../generated/types.js'
import { neutralHistory } from '../history/read-messages.js'

/** One message of a conversation. */
export interface ConversationMessage {
  /** `user`, `assistant`, or the host's own name. */
  role: string
  text: string
}

/** A list of {@link ConversationMessage}. */
export const CONVERSATION = dataKind<readonly ConversationMessage[]>(
  'an array of {role, text}: see conversationOf(messages)',
  (value) => Array.isArray(value) && value.every(isSaid),
)

function isSaid(message: unknown): boolean {
  const { role, text } = (message ?? {}) as Partial<ConversationMessage>
  return typeof role === 'string' && typeof text === 'string'
}

/** Number of messages that describe a conversation's topic, and UTF-16 units of each. */
const RECENT_MESSAGES = 6
const MESSAGE_LENGTH = 300

/** Returns the newest messages, each cut to the length given in document "Unified read_file". */
export function recentMessages(
  conversation: readonly ConversationMessage[] = [],
  count: number = RECENT_MESSAGES,
): ConversationMessage[] {
  const said = conversation.filter(({ text }) => text.trim() !== '')
  return said
    .slice(-count)
    .map(({ role, text }) => ({ role, text: shortened(text.trim(), MESSAGE_LENGTH, '...') }))
}

/** Returns what the user and the assistant said in a history. */
export function saidIn(messages: readonly object[], format?: Format): ConversationMessage[] {
  const history = neutralHistory(messages, format)
  return history.messages.flatMap(({ role }, at) => {
    if (role !== 'user' && role !== 'assistant') return []
    const text = history.saidIn(at)
    return text.trim() === '' ? [] : [{ role, text }]
  })
}

/** Number of newest messages searched for text: most messages of an agent are calls and results. */
const SEARCHED_MESSAGES = 100

/** Returns a history's recent text, which describes its current topic, cut as by {@link recentMessages}. */
export function recentText(messages: readonly object[], format: Format): string {
  const said = recentMessages(saidIn(messages.slice(-SEARCHED_MESSAGES), format))
  return said.map(({ text }) => text).join('\n')
}

/** Returns the user's last message: part of the key of a cached curation. */
export function lastQuestion(conversation: readonly ConversationMessage[] = []): string {
  return conversation.findLast(({ role }) => role === 'user')?.text ?? ''
}
