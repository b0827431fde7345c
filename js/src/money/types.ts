import type { Format, Policy } from '../generated/types.js'
import type { DatedPrices, Prices } from '../prices/prices.js'
import type { MessageCounter } from '../tokens/message-counter.js'

/**
 * A policy as code: makes the view for a request. Called before every request of the session in turn, with
 * all messages so far, and with the pause since the last request whose time is known. A message of `ai-sdk-ui` that
 * holds several steps is passed as one for each.
 */
export type ViewFunction = (
  messages: readonly object[],
  request: { secondsSinceLast: number | null },
) => readonly object[]

/**
 * Policies by name, as shown in the result. A policy keeps its decisions over the session, as in a `Context`.
 */
export type Policies = Readonly<Record<string, Policy | ViewFunction>>

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /** Prices per token. Default: `PRICES.anthropic`. */
  prices?: Prices | DatedPrices | undefined
  /** The model whose prices are used if `prices` is not given; see `pricesOf`. */
  model?: string | undefined
  /** The context window in tokens. Requests that exceed it are counted. */
  window?: number | undefined
  /** Life of the cache in seconds; overrides the prices' `cacheSeconds`. Only used with `times`. */
  ttl?: number | undefined
  /**
   * The time of each message in milliseconds since 1970, by position; `null` if unknown. A pause counts from the last
   * known time; a message with several steps has that of its first.
   */
  times?: readonly (number | null | undefined)[] | undefined
  /** The system prompt, if it is separate from the messages; it is part of every request. */
  system?: string | undefined
  format?: Format | undefined
  /**
   * Counts the tokens of messages instead of the engine's estimates; `messageCounter` of `trimtab/tokens`
   * makes one.
   */
  counter?: MessageCounter | undefined
  /** Whether to compute {@link Simulation.bounds}. Default true. */
  bounds?: boolean | undefined
  /** Called regularly with the completed fraction of the work, 0 to 1. An exception ends the replay. */
  onProgress?: ((done: number) => void) | undefined
  /** Called with the result of each policy as soon as it was replayed, in the order of `policies`. */
  onPolicy?: ((policy: SimulatedPolicy) => void) | undefined
  /**
   * Called with each piece of evidence that was missing from a policy's view when it was needed, in order.
   */
  onLost?: ((lost: LostEvidence) => void) | undefined
  /**
   * Checked before each request. The replay is one synchronous call: in its own thread only `onProgress` can
   * abort it.
   */
  signal?: AbortSignal | undefined
}

/** A lower bound of the cost in a session. */
export interface Bound {
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
  /** Whether a plan at this cost was found. If not, the cheapest plan costs a little more. */
  isReached: boolean
}

/**
 * The cheapest plans of a session, computed with knowledge of the whole session. Each shows a result when it
 * arrives, may clear it later for good, and changes nothing else. Their stub is `[cleared]`, or `Error: [cleared]` for
 * a failure; they keep a result that is no longer than its stub.
 */
export interface Bounds {
  /** Every edit sees the text that it replaces. */
  edits: Bound
  /** All evidence is in view when it is needed. */
  all: Bound
}

/**
 * The cost if missing content is fetched again: for each text that a step needed and did not have, one more
 * request, which reads the view from the cache and writes the text to it. A text is fetched only once.
 */
export interface Refetched {
  /** Number of texts. */
  texts: number
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
}

/** The amount in view out of the possible amount: places where earlier text was needed, or tokens. */
export interface Kept {
  kept: number
  of: number
}

/** The content that later steps of a session relied on, and whether the view still had it. */
export interface EvidenceKept {
  /** Texts that an edit replaced, if the history contained them. */
  edits: Kept
  /** Calls that name a file that was read before: whether its newest read was in view. */
  files: Kept
  /** Commands run again after a failure: whether the failure's output was in view. */
  failures: Kept
}

/** A text that a step needed and did not have. */
export interface LostEvidence {
  /** The name of the policy. */
  policy: string
  kind: keyof EvidenceKept
  /** The request that lacked it, from 0. */
  request: number
  /** The message of the model that needed it. */
  message: number
  /** The newest earlier message that contained it. */
  heldBy: number
  text: string
}

/** A policy's result in a simulation. Tokens are estimates. */
export interface SimulatedPolicy {
  name: string
  /** Sum of the tokens of all requests. */
  tokensSent: number
  /** Tokens of the largest request. */
  peakTokens: number
  /** Requests that changed or dropped something sent before, which rewrites the cache. */
  rewrites: number
  /** Requests that found the cache cold after a pause. */
  coldStarts: number
  /** Cost of the requests without their answers, in the unit of the prices. */
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
  /** Requests larger than the window; `null` if no window was given. */
  overWindow: number | null
  evidence: EvidenceKept
  /**
   * Tokens of reasoning in the requests, out of those if everything were sent. What a model requires of
   * reasoning is considered only if the policy sets `binding`.
   */
  reasoning: Kept
  refetched: Refetched
  /**
   * `cost` as a multiple of `Simulation.bounds.all`, the cheapest plan that keeps all evidence. It can be less
   * than 1 if the policy does what those plans do not: lose evidence, edit more than results, cut a result to a part of
   * it, or clear one before any request showed it in full. `null` without bounds.
   */
  regret: number | null
  /** Tokens of each request, in order. */
  contextTokens: number[]
}

/** The result of {@link simulate}. */
export interface Simulation {
  format: Format
  messages: number
  /** Number of calls of the model: one for each step, also of those within a message of `ai-sdk-ui`. */
  requests: number
  prices: Prices
  /** Life of the cache in seconds; `null` if unknown. */
  cacheSeconds: number | null
  /** Whether pauses were considered, because the session's times were given. */
  hasTimes: boolean
  /** Tokens of the model's answers, which do not depend on the policy. */
  answerTokens: number
  /** Cost of sending everything, without the answers. */
  baseCost: number
  /** `null` for a session of more than 1,000 requests, and with `bounds: false`. */
  bounds: Bounds | null
  policies: SimulatedPolicy[]
}
