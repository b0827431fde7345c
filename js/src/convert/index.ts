import { TrimtabError } from '../error.js'
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
  checkConvertible(from, 'from')
  checkConvertible(to, 'to')
  if (from === to) {
    const copy = [...messages]
    if (system === undefined) return { messages: copy, lost: [] }
    if (to === 'anthropic') return { messages: copy, lost: [], system }
    return { messages: [{ role: 'system', content: system }, ...copy], lost: [] }
  }
  return to === 'anthropic' ? toAnthropic(messages, system) : toOpenAiChat(messages, system)
}

function checkConvertible(format: Format, argument: string): void {
  if (format === 'openai-chat' || format === 'anthropic') return
  const message = `${argument}: ${format} cannot be converted, only openai-chat and anthropic can`
  throw new TrimtabError('invalid_option', message, { argument })
}
