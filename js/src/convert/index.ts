import type { Format } from '../types.js'
import { toAnthropic } from './to-anthropic.js'
import { toOpenAiChat } from './to-openai-chat.js'

/** Something that the other format has no place for. `index` is the message it was in. */
export interface LostItem {
  index: number
  what: string
}

export interface ConvertedMessages {
  messages: object[]
  lost: LostItem[]
  /** Anthropic takes the system prompt beside the messages: what the system messages said. */
  system?: string
}

export interface ConvertOptions {
  /** A system prompt that stands beside `messages`; in chat it becomes the first message. */
  system?: string
}

/**
 * The same conversation in the other provider's format: roles, texts, images, tool calls and their results, with their
 * ids. What cannot be said there is listed, never dropped in silence. The input is not changed.
 */
export function convertMessages(
  messages: readonly object[],
  from: Format,
  to: Format,
  options: ConvertOptions = {},
): ConvertedMessages {
  const { system } = options
  if (from === to) {
    const copy = [...messages]
    if (system === undefined) return { messages: copy, lost: [] }
    if (to === 'anthropic') return { messages: copy, lost: [], system }
    return { messages: [{ role: 'system', content: system }, ...copy], lost: [] }
  }
  return to === 'anthropic' ? toAnthropic(messages, system) : toOpenAiChat(messages, system)
}
