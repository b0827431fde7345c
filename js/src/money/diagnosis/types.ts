import type { Format } from '../../generated/types.js'
import type { DatedPrices, Prices } from '../../prices/prices.js'
import type { AnsweredRequest } from '../../tokens/cache-writes.js'
import type { ReportedUsage } from '../../tokens/reported-usage.js'

/**
 * A request as it was sent, with what is known of its answer. `readRequests` of `trimtab/transcripts` reads
 * those of a log.
 */
export interface SentRequest {
  /** The body: `model`, `tools`, `system`, `messages`, with the provider's field names. */
  body: object
  /**
   * The usage object of the answer, in the provider's form. Without it, the tokens read are computed from the
   * bodies.
   */
  usage?: object | null | undefined
  /** The time when it was sent or answered, in milliseconds since 1970. */
  time?: number | null | undefined
  /** An id that stays the same until another process resumes the session. */
  session?: string | null | undefined
  /** The type of Anthropic's `diagnostics.cache_miss_reason`, if the answer has it: `messages_changed`. */
  missReason?: string | null | undefined
}

/** A session with its provider's reports, such as a `Transcript` of `readTranscript`. */
export interface SessionToDiagnose {
  messages: readonly object[]
  format: Format
  /** The usage by position of the message; `null` for messages other than the provider's answers. */
  usage?: readonly (ReportedUsage | null)[] | undefined
  /** The time of each message in milliseconds since 1970, by position. */
  times?: readonly (number | null)[] | undefined
  /** Further data of the request that a message answers, by position. */
  requests?: readonly (AnsweredRequest | null)[] | undefined
}

/** Options of {@link diagnose} and {@link diagnoseSession}. */
export interface DiagnoseOptions {
  /**
   * Prices per token. Default: those of the requests' own model, or of its provider if the model is not in
   * the table.
   */
  prices?: Prices | DatedPrices | undefined
  /** The model whose prices are used if `prices` is not given; see `pricesOf`. */
  model?: string | undefined
  /** Life of the cache in seconds; overrides the requests and the prices. */
  ttl?: number | undefined
}

/**
 * Why tokens that were sent before were not read from the cache:
 *
 * - `model-changed`: a model cannot read what another one wrote.
 * - `tools-changed`, `system-changed`, `message-changed`: this part differs from the previous request, and
 *   everything after it is written again. `settings-changed`: the same for `thinking`, `tool_choice` or
 *   similar, which precede the messages.
 * - `expired`: the pause was longer than the life of the cache.
 * - `resumed`: another process resumed the session, and no other change is known.
 * - `too-short`: the previous request had fewer tokens than its model caches.
 * - `not-marked`: the previous request did not ask to cache them: no `cache_control` is at or after them.
 * - `unknown`: nothing changed and the cache should not have expired: it was evicted, or the reason is not
 *   logged.
 */
export type MissCauseName =
  | 'model-changed'
  | 'tools-changed'
  | 'system-changed'
  | 'settings-changed'
  | 'message-changed'
  | 'expired'
  | 'resumed'
  | 'too-short'
  | 'not-marked'
  | 'unknown'

/**
 * Who changed a message: a policy that clears old content, the host, or a client that writes the same content
 * differently.
 */
export type ChangedBy = 'policy' | 'host' | 'client'

/**
 * How messages changed. `cleared`: old content was shortened or removed in place. `compacted`: the older part
 * was replaced with less. `reordered`, `rewritten`: the same content in another order, or written
 * differently.
 */
export type ChangeKind =
  | 'cleared'
  | 'compacted'
  | 'inserted'
  | 'removed'
  | 'reordered'
  | 'rewritten'
  | 'changed'

/** One cause of a miss, with its share. */
export interface MissCause {
  cause: MissCauseName
  /** Tokens that were not read because of it; 0 if they would not have been read without it either. */
  tokens: number
  /** Their extra cost compared with reading them from the cache, in the unit of the prices. */
  cost: number
  /** For `message-changed`: the position of the first changed message in the request; `null` if unknown. */
  message?: number | null
  by?: ChangedBy
  how?: ChangeKind
  /** The names of changed tools or settings; for `model-changed`, the previous and the current model. */
  names?: string[]
  /** For `expired`: seconds since the previous request. */
  pauseSeconds?: number
  /** For `expired`: life of the cache in seconds. */
  cacheSeconds?: number
  /** For `too-short`: the minimum tokens that the model caches. */
  leastTokens?: number
}

/** A request that did not read all it could have read from the cache. */
export interface Miss {
  /** Its position among the requests, from 0. */
  request: number
  /** For a session: the position of the answer in `messages`; otherwise `null`. */
  answer: number | null
  /** The position of the request that it continues. */
  after: number
  /** Input tokens of the request. */
  input: number
  /** Input tokens that the earlier request had too. */
  readable: number
  /** Input tokens read from the cache. */
  read: number
  /** `readable` minus `read`: the sum of the causes' tokens. */
  tokens: number
  cost: number
  /** The causes, most tokens first. */
  causes: MissCause[]
  /** The type of Anthropic's `cache_miss_reason`, if it was given and names a cause; otherwise `null`. */
  provider: string | null
}

/** All misses of one cause. */
export interface CauseTotal {
  cause: MissCauseName
  requests: number
  tokens: number
  cost: number
}

/** The result of `diagnose` and `diagnoseSession`. */
export interface Diagnosis {
  /**
   * `requests`: the bodies were compared, so changes are known exactly. `usage`: the bodies are not known;
   * causes are inferred from the reported tokens, pauses and models.
   */
  from: 'requests' | 'usage'
  requests: number
  /**
   * Whether tokens are reported by the provider. Otherwise they are estimates, and the tokens read are
   * computed.
   */
  isReported: boolean
  prices: Prices
  /**
   * Price of a token written to a cache that lives an hour, if some were and others were not: `prices` are those of
   * the others. Otherwise `null`.
   */
  hourWrite: number | null
  /** Input tokens of all requests. */
  input: number
  /** Tokens read from the cache. */
  read: number
  /** Tokens that were sent before and not read from the cache. */
  missed: number
  /** Cost of all input, in the unit of the prices. */
  cost: number
  /** Extra cost of the missed tokens compared with reading them from the cache. */
  missedCost: number
  /** The causes, most expensive first. */
  causes: CauseTotal[]
  /** The requests with misses, most expensive first. */
  misses: Miss[]
}
