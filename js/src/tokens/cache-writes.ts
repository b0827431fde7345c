import { asRecord, isRecord } from '../base/json.js'

/** The tokens that a request wrote to the cache, as reported by its provider. */
export interface CacheWrites {
  tokens: number
  /** Their life in the cache in seconds; `null` if not reported. */
  seconds: number | null
}

/** What is recorded about a request besides its tokens, found with its answer. */
export interface AnsweredRequest {
  model: string | null
  /** An id that stays the same until another process resumes the session. */
  session: string | null
  /** `null` if no writes are reported: the provider caches by itself. */
  writes: CacheWrites | null
  /** The type of Anthropic's `diagnostics.cache_miss_reason`. */
  missReason: string | null
}

/**
 * Reads the cache writes of a usage object of Anthropic, LangChain, the AI SDK or pi; `null` if it reports
 * none.
 */
export function readCacheWrites(value: unknown): CacheWrites | null {
  const usage = asRecord(value)
  if (usage === undefined) return null
  const inAiSdk = asRecord(usage.inputTokenDetails)?.cacheWriteTokens
  const inLangChain = asRecord(usage.input_token_details)?.cache_creation
  const found = [usage.cache_creation_input_tokens, usage.cacheWrite, inAiSdk, inLangChain]
  const tokens = found.find((one) => typeof one === 'number')
  if (typeof tokens !== 'number') return null
  return { tokens, seconds: secondsOf(usage.cache_creation) }
}

/** Anthropic reports the tokens written by life. */
function secondsOf(creation: unknown): number | null {
  if (!isRecord(creation)) return null
  const amount = (name: string) => (typeof creation[name] === 'number' ? creation[name] : 0)
  if (amount('ephemeral_1h_input_tokens') > 0) return 3600
  return amount('ephemeral_5m_input_tokens') > 0 ? 300 : null
}
