import { checkOptions } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { formatOf } from '../history/format.js'
import type { FormatOptions } from '../history/types.js'
import { type ConversationMessage, saidIn } from './conversation.js'

/**
 * Returns the text of user and assistant in a history of any format, without calls, results, reasoning and system
 * messages.
 */
export function conversationOf(
  messages: readonly object[],
  options: FormatOptions = {},
): ConversationMessage[] {
  options = checkOptions(options, { format: FORMAT }, 'conversationOf')
  return saidIn(messages, formatOf(messages, options.format))
}
