import { keyInfo } from '../../../pkg/files.js'
import { checkOptions, checkText } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { enter } from '../engine/core.js'
import { files } from '../engine/files.js'
import type { KeyInfo } from '../generated/types.js'
import { History } from '../history/history.js'
import type { FormatOptions } from '../history/types.js'

/**
 * The facts of a tool's output that are worth keeping when it goes, found without a model: how it went, exit status, test
 * counts, names of failed tests, error lines, matches, files. `outcome` is `unknown` where the output does not say it.
 *
 * @param content The output.
 * @param toolName The tool: a file's content, say, is not searched for errors.
 * @throws {TrimtabError} `invalid_option`.
 */
export function extractKeyInfo(content: string, toolName: string): KeyInfo {
  checkText('content', content)
  checkText('toolName', toolName)
  return files.enter(() => keyInfo(content, toolName) as KeyInfo)
}

/**
 * A tool result in one line, without a model: what it was, its size, how it went where that is said, test counts, failed
 * tests, error lines, files. A message with several results has a line for each, one without any an empty text. Of
 * ephemeral content it says the size alone.
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
    return enter(() => engine.summaries(session.host, messages, 0)).join('\n')
  } finally {
    session.free()
  }
}
