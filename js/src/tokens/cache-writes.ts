import { asRecord, isRecord } from '../base/json.js'

/** What a request put in the cache, as its provider reported it. */
export interface CacheWrites {
  tokens: number
  /** Seconds that it lives there; `null` where that is not said. */
  seconds: number | null
}

/** What is said of the request that an answer came to, beside its tokens. */
export interface AnsweredRequest {
  model: string | null
  /** What stays the same until the session is resumed by another process. */
  session: string | null
  /** `null` where nothing is said of writes: caching is the provider's own affair. */
  writes: CacheWrites | null
  /** The type of Anthropic's `diagnostics.cache_miss_reason`. */
  missReason: string | null
}

/** What a usage object says of cache writes: that of Anthropic, LangChain, the AI SDK or pi; `null` where it says nothing. */
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

/** Anthropic says how much was written for how long. */
function secondsOf(creation: unknown): number | null {
  if (!isRecord(creation)) return null
  const amount = (name: string) => (typeof creation[name] === 'number' ? creation[name] : 0)
  if (amount('ephemeral_1h_input_tokens') > 0) return 3600
  return amount('ephemeral_5m_input_tokens') > 0 ? 300 : null
}
