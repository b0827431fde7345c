import { truncateText } from '../../../pkg/files.js'
import { checkCount, checkIsText, checkOptions } from '../base/options.js'
import { files } from '../engine/files.js'

/** How much of a text may stay. */
export interface TruncateOptions {
  /** The most UTF-16 units kept of the beginning. Default 2,000 without a limit, and no more than fits with one. */
  head?: number
  /** The most UTF-16 units kept of the end. Default as `head`. */
  tail?: number
  /** The most estimated tokens (UTF-8 bytes / 3.5) of the whole, the mark between the ends included: 24 or more. */
  maxTokens?: number
  /** The most lines of the whole, the mark between the ends included: 5 or more. */
  maxLines?: number
}

/**
 * A long text with its middle left out: document "Smart Tool History", truncated format. Without a limit, text over
 * 10,000 UTF-16 units is long; with `head` or `tail` alone, text that gets shorter by it. It is cut between characters
 * as readers see them.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function truncateOutput(text: string, options: TruncateOptions = {}): string {
  checkIsText('text', text)
  checkOptions(options, ['head', 'tail', 'maxTokens', 'maxLines'], 'truncateOutput')
  const { head, tail, maxTokens, maxLines } = options
  const least = { head: 0, tail: 0, maxTokens: 24, maxLines: 5 }
  for (const [name, count] of Object.entries({ head, tail, maxTokens, maxLines })) {
    if (count !== undefined) checkCount(name, count, least[name as keyof typeof least])
  }
  return files.enter(() => truncateText(text, head, tail, maxTokens, maxLines)) ?? text
}
