import { truncateText } from '../../../pkg/files.js'
import { COUNT, checkOptions, checkText, countFrom } from '../base/check.js'
import { files } from '../engine/files.js'

/** How much of a text may stay. */
export interface TruncateOptions {
  /** The most UTF-16 units kept of the beginning. Default 2,000 without a limit, and no more than fits with one. */
  head?: number
  /** The most UTF-16 units kept of the end. Default as `head`. */
  tail?: number
  /** The most estimated tokens (UTF-8 bytes / 3.5) of the whole, the mark between the ends included: 24 or more. */
  maxTokens?: number
  /**
   * The most lines of the whole, the mark between the ends included: 5 or more. Longer text keeps no more than 1,000
   * UTF-8 bytes for each line.
   */
  maxLines?: number
}

const OPTIONS = { head: COUNT, tail: COUNT, maxTokens: countFrom(24), maxLines: countFrom(5) }

/**
 * A long text with its middle left out: document "Smart Tool History", truncated format. Without a limit, text over
 * 10,000 UTF-16 units is long; with `head` or `tail` alone, text that gets shorter by it. It is cut between characters
 * as readers see them.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function truncateOutput(text: string, options: TruncateOptions = {}): string {
  checkText('text', text)
  options = checkOptions(options, OPTIONS, 'truncateOutput')
  const { head, tail, maxTokens, maxLines } = options
  return files.enter(() => truncateText(text, head, tail, maxTokens, maxLines)) ?? text
}
