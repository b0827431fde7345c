import type { Format } from '../types.js'
import { toAnthropic } from './to-anthropic.js'
import { toOpenAiChat } from './to-openai-chat.js'
import type { ConvertedMessages, ConvertOptions } from './types.js'

export type * from './types.js'

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
