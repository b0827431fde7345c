import { asRecord, isRecord } from '../base/json.js'

/** The tokens that a request wrote to the cache, as reported by its provider. */
export interface CacheWrites {
  tokens: number
  /** Their life in the cache in seconds, the longest if there are several; `null` if not reported. */
  seconds: number | null
  /** Those of `tokens` that live an hour. Default: all or none, as `seconds` says. */
  hourTokens?: number | undefined
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
  return { tokens, ...livesOf(usage.cache_creation) }
}

/** Anthropic reports the tokens written by life. */
function livesOf(creation: unknown): Omit<CacheWrites, 'tokens'> {
  if (!isRecord(creation)) return { seconds: null }
  const amount = (name: string) => (typeof creation[name] === 'number' ? creation[name] : 0)
  const [short, hour] = [amount('ephemeral_5m_input_tokens'), amount('ephemeral_1h_input_tokens')]
  if (hour > 0) return { seconds: HOUR_SECONDS, ...(short > 0 ? { hourTokens: hour } : {}) }
  return { seconds: short > 0 ? SHORT_SECONDS : null }
}

/** The lives of Anthropic's caches. */
export const SHORT_SECONDS = 300
export const HOUR_SECONDS = 3600

/** Written tokens by life: an hour, or as long as is usual for the provider. */
export interface Lives {
  hour: number
  shorter: number
}

/** Returns the written tokens by life; `null` if that is not reported. */
export function byLife({ hourTokens, seconds, tokens }: CacheWrites): Lives | null {
  if (seconds === null && tokens > 0) return null
  const hour = hourTokens ?? (seconds === HOUR_SECONDS ? tokens : 0)
  return { hour, shorter: tokens - hour }
}
