import { checkMessages, checkOptions, TEXT } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { Format } from '../generated/types.js'
import { formatOf } from '../history/format.js'
import { convert } from './convert.js'
import type { ConvertedMessages, ConvertOptions } from './types.js'

/**
 * The same conversation in another provider's format: roles, texts, files, reasoning where it can be taken back, tool
 * calls and their results, with their ids. What cannot be said there is listed, never dropped in silence. The input is
 * not changed.
 *
 * Shapes of AI SDK 4 and Gemini's snake_case are read where `format` names them, and written as the format has them today
 * also where it is both; other functions refuse them.
 *
 * @param to The format to write.
 * @throws {TrimtabError} As `project`; `unreadable_message` for a value without JSON.
 */
export function convertMessages(
  messages: readonly object[],
  to: Format,
  options: ConvertOptions = {},
): ConvertedMessages {
  checkMessages(messages)
  options = checkOptions(options, { format: FORMAT, system: TEXT }, 'convertMessages')
  const { format, system } = options
  return convert(messages, format ?? formatOf(messages), to, system)
}
