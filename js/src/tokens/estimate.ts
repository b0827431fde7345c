import { checkOptions, FUNCTION } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { TextCounter } from '../base/text-counter.js'
import type { Format, TokensByKind } from '../generated/types.js'
import { formatOf } from '../history/format.js'
import type { FormatOptions } from '../history/types.js'
import { tokensOfMessages } from './block-counter.js'
import { estimateTokens } from './estimate-tokens.js'
import { counted } from './message-counter.js'
import { bySource, type TokensBySource } from './sources.js'

/** Options of {@link countMessages}. */
export interface CountOptions extends FormatOptions {
  /** Counts the tokens of a text. Default: {@link estimateTokens}. */
  counter?: TextCounter | undefined
}

/**
 * Estimates the tokens of each message by source, including the overhead of its format. More accurate than
 * the engine's estimates, which use only the length, and slower, because each text is examined.
 *
 * @throws {TrimtabError} As `project`.
 */
export function estimateMessages(messages: readonly object[], options: FormatOptions = {}): TokensBySource[] {
  options = checkOptions(options, { format: FORMAT }, 'estimateMessages')
  return estimatesOf(messages, formatOf(messages, options.format))
}

/**
 * Returns the tokens of each message by kind, including the overhead of its format.
 *
 * @throws {TrimtabError} As `project`.
 */
export function countMessages(messages: readonly object[], options: CountOptions = {}): TokensByKind[] {
  options = checkOptions(options, { format: FORMAT, counter: FUNCTION }, 'countMessages')
  const { counter = estimateTokens, format } = options
  return tokensOfMessages(messages, formatOf(messages, format), (text) => counted(counter, text))
}

/** Estimates messages whose format is known. */
export function estimatesOf(messages: readonly object[], format: Format): TokensBySource[] {
  return tokensOfMessages(messages, format, estimateTokens).map(bySource)
}
