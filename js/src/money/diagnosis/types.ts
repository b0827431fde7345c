import type { Format } from '../../generated/types.js'
import type { DatedPrices, Prices } from '../../prices/prices.js'
import type { AnsweredRequest } from '../../tokens/cache-writes.js'
import type { ReportedUsage } from '../../tokens/reported-usage.js'

/** A request as it was sent, with what is known of its answer: `readRequests` of `trimtab/transcripts` gives those of a log. */
export interface SentRequest {
  /** The body: `model`, `tools`, `system`, `messages`, by the names of its provider. */
  body: object
  /** The usage object of the answer, as the provider wrote it. Without it, what was read is worked out from the bodies. */
  usage?: object | null
  /** When it was sent or answered, in milliseconds since 1970. */
  time?: number | null
  /** What stays the same until the session is resumed by another process. */
  session?: string | null
  /** The type of Anthropic's `diagnostics.cache_miss_reason`, where the answer has it: `messages_changed`. */
  missReason?: string | null
}

/** A session whose provider reported its tokens: a `Transcript` of `readTranscript` is one. */
export interface SessionToDiagnose {
  messages: readonly object[]
  format: Format
  /** For each message that the provider answered with, by position. */
  usage?: readonly (ReportedUsage | null)[]
  /** When each message came, in milliseconds since 1970, by position. */
  times?: readonly (number | null)[]
  /** What else is said of the request that a message answers, by position. */
  requests?: readonly (AnsweredRequest | null)[]
}

/** Options of {@link diagnose} and {@link diagnoseSession}. */
export interface DiagnoseOptions {
  /** What tokens cost. Default: those of the requests' own model, and of its provider where that is not in the table. */
  prices?: Prices | DatedPrices
  /** The model whose prices are taken where `prices` are not given; see `pricesOf`. */
  model?: string
  /** Seconds that the cache lives; instead of what the requests and the prices say. */
  ttl?: number
}

/**
 * Why tokens that had been sent before were not read from the cache:
 *
 * - `model-changed`: no model reads what another one wrote.
 * - `tools-changed`, `system-changed`, `message-changed`: what stands there is another than in the request before, and
 *   all behind it is written anew. `settings-changed`: so is `thinking`, `tool_choice` or the like, which messages stand behind.
 * - `expired`: the pause was longer than the cache lives.
 * - `resumed`: another process went on with the session, and nothing else is known to have changed.
 * - `too-short`: the request before had fewer tokens than its model caches.
 * - `not-marked`: the request before did not ask for them to be cached: no `cache_control` stands at them or behind.
 * - `unknown`: nothing changed and the cache was to live on: evicted, or what is not logged.
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

/** Who changed a message: a policy that clears old content, the host, or a client that writes the same in another way. */
export type ChangedBy = 'policy' | 'host' | 'client'

/**
 * How messages changed. `cleared`: old content made shorter or taken out, where it stood. `compacted`: the older part replaced by less.
 * `reordered`, `rewritten`: the same content in another order, or spelled in another way.
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
  /** Tokens that were not read because of it; 0 where they would not have been read without it either. */
  tokens: number
  /** What they cost more than from the cache, in the unit of the prices. */
  cost: number
  /** Of `message-changed`: the position of the first one in the request; `null` where it is not known. */
  message?: number | null
  by?: ChangedBy
  how?: ChangeKind
  /** Tools or settings that changed, by name; of `model-changed`, the model before and the one now. */
  names?: string[]
  /** Of `expired`: seconds since the request before. */
  pauseSeconds?: number
  /** Of `expired`: seconds that the cache lives. */
  cacheSeconds?: number
  /** Of `too-short`: the fewest tokens that the model caches. */
  leastTokens?: number
}

/** A request that did not read all that it could have. */
export interface Miss {
  /** Its position among the requests, from 0. */
  request: number
  /** Of a session: the position of the answer in `messages`. */
  answer: number | null
  /** The position of the request that it goes on from. */
  after: number
  /** All its input tokens. */
  input: number
  /** Those that the request before had too. */
  readable: number
  /** Those that came from the cache. */
  read: number
  /** `readable` less `read`: the sum of the causes' tokens. */
  tokens: number
  cost: number
  /** Most tokens first. */
  causes: MissCause[]
  /** The type of Anthropic's `cache_miss_reason`, where it was given. */
  provider: string | null
}

/** All misses of one cause. */
export interface CauseTotal {
  cause: MissCauseName
  requests: number
  tokens: number
  cost: number
}

/** What `diagnose` and `diagnoseSession` found. */
export interface Diagnosis {
  /**
   * `requests`: the bodies were compared, so that changes are known exactly. `usage`: they are not known; causes are concluded from
   * what was reported, from pauses and models.
   */
  from: 'requests' | 'usage'
  requests: number
  /** Whether tokens are the provider's. Else they are estimates, and what was read is worked out. */
  isReported: boolean
  prices: Prices
  /** Input tokens of all requests. */
  input: number
  /** Those that came from the cache. */
  read: number
  /** Those that had been sent before and did not. */
  missed: number
  /** What all input cost, in the unit of the prices. */
  cost: number
  /** What the missed tokens cost more than from the cache. */
  missedCost: number
  /** The causes, dearest first. */
  causes: CauseTotal[]
  /** The requests that missed something, dearest first. */
  misses: Miss[]
}
