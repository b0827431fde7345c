import { checkMessages, checkOptions, TEXT } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Format } from '../generated/types.js'
import { formatOf } from '../history/format.js'
import { convert } from './convert.js'
import type { ConvertedMessages, ConvertOptions } from './types.js'

/**
 * Converts a conversation to another provider's format: roles, texts, files, reasoning where the target
 * accepts it, tool calls and their results, with their ids. Content that the target cannot express is listed,
 * never dropped silently. The input is not changed.
 *
 * Messages of AI SDK 4 and Gemini's snake_case are read if `format` names them, and written in the current
 * form, even if both formats are the same; other functions reject them.
 *
 * @param to The format to write.
 * @throws {TrimtabError} As `project`; `unreadable_message` for a value without JSON.
 */
export function convertMessages(
  messages: readonly object[],
  to: Format,
  options: ConvertOptions = {},
): ConvertedMessages {
  messages = checkMessages(messages)
  options = checkOptions(options, { format: FORMAT, system: TEXT }, 'convertMessages')
  const { format, system } = options
  return convert(messages, format ?? formatOf(messages), to, system)
}
