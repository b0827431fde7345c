import { checkMessages } from '../base/check.js'
import { checkFormat } from '../base/format.js'
import type { Format } from '../generated/types.js'
import { historyFor } from './histories.js'

/**
 * The format of a history: the one that is given, else by its structure.
 *
 * @throws {TrimtabError} As `project`: what is of no format, or not of the one that is given, is refused.
 */
export function formatOf(messages: readonly object[], format?: Format): Format {
  checkMessages(messages)
  if (format !== undefined) checkFormat('format', format)
  const history = historyFor(messages, format)
  history.steps(messages)
  return history.detectedFormat()
}
