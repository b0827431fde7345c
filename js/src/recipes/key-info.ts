import { keyInfo } from '../../../pkg/files.js'
import { checkOptions, checkText } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { enter, summaries } from '../engine/core.js'
import { files } from '../engine/files.js'
import type { KeyInfo } from '../generated/types.js'
import { History } from '../history/history.js'
import type { FormatOptions } from '../history/types.js'

/**
 * Extracts the facts of a tool's output that are worth keeping when it is cleared, without a model: outcome,
 * exit status, test counts, names of failed tests, error lines, matches, files. `outcome` is `unknown` if the
 * output does not state it.
 *
 * @param content The output.
 * @param toolName The tool: for example, a file's content is not searched for errors.
 * @throws {TrimtabError} `invalid_option`.
 */
export function extractKeyInfo(content: string, toolName: string): KeyInfo {
  checkText('content', content)
  checkText('toolName', toolName)
  return files.enter(() => keyInfo(content, toolName) as KeyInfo)
}

/**
 * Summarises a tool result in one line, without a model: its kind, size, outcome if stated, test counts,
 * failed tests, error lines, files. A message with several results has a line for each, one without results
 * an empty text. For ephemeral content only the size is given.
 *
 * @param message A message with a tool result, in any supported format.
 * @throws {TrimtabError} As `project`.
 */
export function summarizeToolOutput(message: object, options: FormatOptions = {}): string {
  options = checkOptions(options, { format: FORMAT }, 'summarizeToolOutput')
  const session = new History(options.format)
  try {
    const messages = [message]
    const engine = session.follow(messages)
    return enter(() => summaries(engine, session.host, messages, 0))
  } finally {
    session.free()
  }
}
