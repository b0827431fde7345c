import { truncateText } from '../../../pkg/files.js'
import { COUNT, checkOptions, checkText, countFrom } from '../base/check.js'
import { files } from '../engine/files.js'

/** Limits of {@link truncateOutput}. */
export interface TruncateOptions {
  /** Maximum UTF-16 units kept of the beginning. Default: 2,000 without a limit; with one, what fits. */
  head?: number | undefined
  /** Maximum UTF-16 units kept of the end. Default as `head`. */
  tail?: number | undefined
  /**
   * Maximum estimated tokens (UTF-8 bytes / 3.5) of the whole text, including the mark between the ends; at
   * least 24.
   */
  maxTokens?: number | undefined
  /**
   * Maximum lines of the whole text, including the mark between the ends, and thousands of its UTF-8 bytes;
   * at least 5. A longer text keeps at most 1,000 UTF-8 bytes per line.
   */
  maxLines?: number | undefined
}

const OPTIONS = { head: COUNT, tail: COUNT, maxTokens: countFrom(24), maxLines: countFrom(5) }

/**
 * Removes the middle of a long text: document "Smart Tool History", truncated format. Without a limit, text
 * over 10,000 UTF-16 units is cut; with only `head` or `tail`, text that becomes shorter by it. Cuts are made
 * at grapheme boundaries.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function truncateOutput(text: string, options: TruncateOptions = {}): string {
  checkText('text', text)
  options = checkOptions(options, OPTIONS, 'truncateOutput')
  const { head, tail, maxTokens, maxLines } = options
  return files.enter(() => truncateText(text, head, tail, maxTokens, maxLines)) ?? text
}
