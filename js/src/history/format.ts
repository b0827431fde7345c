import { checkMessages } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import type { Format } from '../generated/types.js'
import { historyFor } from './histories.js'

/**
 * Returns the format of a history: `format` if given, otherwise detected from its structure.
 *
 * @throws {TrimtabError} As `project`; also if the messages are in no known format, or not in `format`.
 */
export function formatOf(messages: readonly object[], format?: Format): Format {
  messages = checkMessages(messages)
  if (format !== undefined) checkFormat('format', format)
  const history = historyFor(messages, format)
  history.follow(messages)
  return history.detectedFormat()
}
