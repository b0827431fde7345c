import { checkOptions, FUNCTION } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import type { TextCounter } from '../base/text-counter.js'
import type { Format, TokensByKind } from '../generated/types.js'
import { formatOf } from '../history/format.js'
import type { FormatOptions } from '../history/types.js'
import { tokensOfMessages } from './block-counter.js'
import { estimateTokens } from './estimate-tokens.js'
import { bySource, type TokensBySource } from './sources.js'

/** Options of {@link countMessages}. */
export interface CountOptions extends FormatOptions {
  /** Tokens of a text. Default: {@link estimateTokens}. */
  counter?: TextCounter
}

/**
 * Estimated tokens of each message, by where they came from and with what the format puts around them. Finer than the engine's own
 * figures, which go by length alone, and slower: each text is looked at.
 *
 * @throws {TrimtabError} As `project`.
 */
export function estimateMessages(messages: readonly object[], options: FormatOptions = {}): TokensBySource[] {
  options = checkOptions(options, { format: FORMAT }, 'estimateMessages')
  return estimatesOf(messages, formatOf(messages, options.format))
}

/**
 * Tokens of each message by kind, with what its format puts around it.
 *
 * @throws {TrimtabError} As `project`.
 */
export function countMessages(messages: readonly object[], options: CountOptions = {}): TokensByKind[] {
  options = checkOptions(options, { format: FORMAT, counter: FUNCTION }, 'countMessages')
  const { counter = estimateTokens, format } = options
  return tokensOfMessages(messages, formatOf(messages, format), counter)
}

/** Estimates of messages whose format is known. */
export function estimatesOf(messages: readonly object[], format: Format): TokensBySource[] {
  return tokensOfMessages(messages, format, estimateTokens).map(bySource)
}
