import type { Format, Policy } from '../generated/types.js'
import type { DatedPrices, Prices } from '../prices/prices.js'
import type { MessageCounter } from '../tokens/message-counter.js'

/**
 * A policy as code: the view to send for a request. Called before every request of the session in turn, with all
 * messages so far, and with the pause since the request before where the session's times are known.
 */
export type ViewFunction = (
  messages: readonly object[],
  request: { secondsSinceLast: number | null },
) => readonly object[]

/** Policies by the name that the result shows. A policy keeps its decisions over the session, as in a `Context`. */
export type Policies = Readonly<Record<string, Policy | ViewFunction>>

/** Options of {@link simulate}. */
export interface SimulateOptions {
  /** What tokens cost. Default: `PRICES.anthropic`. */
  prices?: Prices | DatedPrices
  /** The model whose prices are taken where `prices` are not given; see `pricesOf`. */
  model?: string
  /** The context window in tokens: requests over it are counted. */
  window?: number
  /** Seconds that the cache lives; instead of the prices' `cacheSeconds`. It matters with `times` alone. */
  ttl?: number
  /** When each message came, in milliseconds since 1970, by position; `null` where it is not known. */
  times?: readonly (number | null | undefined)[]
  /** The system prompt, if it is separate from the messages: part of every request. */
  system?: string
  format?: Format
  /** Counts tokens of messages instead of the engine's estimates: `messageCounter` of `trimtab/tokens` makes one. */
  counter?: MessageCounter
  /** Whether to find {@link Simulation.bounds}. Default true. */
  bounds?: boolean
  /** Called now and then with the part of the work that is done, 0 to 1. What it throws ends the replay. */
  onProgress?: (done: number) => void
  /** Called with each policy as soon as it has been replayed, in order: what the result's `policies` hold. */
  onPolicy?: (policy: SimulatedPolicy) => void
  /** Called with each piece of evidence that a policy's view did not have when it was needed, in order. */
  onLost?: (lost: LostEvidence) => void
  /** Looked at before each request. The replay is one synchronous call: in its own thread only `onProgress` can abort it. */
  signal?: AbortSignal
}

/** What no policy of a kind could beat in a session. */
export interface Bound {
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
  /** Whether a plan at this cost was found. If not, the cheapest plan costs a little more. */
  isReached: boolean
}

/**
 * The cheapest plans of a session, known from its end: each shows a result when it comes, may clear it later for good, and
 * leaves all else as it is. `[cleared]` is their stub.
 */
export interface Bounds {
  /** Every edit sees the text that it replaces. */
  edits: Bound
  /** All evidence is in view when it is needed. */
  all: Bound
}

/**
 * The cost when what was missed is fetched again: for each text that a step needed and did not have, one request more, which reads
 * the view from the cache and writes the text to it. What was fetched once is not fetched again.
 */
export interface Refetched {
  /** How many texts. */
  texts: number
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
}

/** How much was in view, of what could have been: places where earlier text was needed, or tokens. */
export interface Kept {
  kept: number
  of: number
}

/** The content that later steps of a session relied on, and whether the view still had it. */
export interface EvidenceKept {
  /** Texts that an edit replaced, where the history held them. */
  edits: Kept
  /** Calls naming a file that was read before: whether its newest read was in view. */
  files: Kept
  /** Commands run again after a failure: whether the failure's output was in view. */
  failures: Kept
}

/** A text that a step needed and did not have. */
export interface LostEvidence {
  /** The policy, by its name. */
  policy: string
  kind: keyof EvidenceKept
  /** The request that lacked it, from 0. */
  request: number
  /** The message of the model that needed it. */
  message: number
  /** The newest message before that which held it. */
  heldBy: number
  text: string
}

/** A policy's result in a simulation. Tokens are estimates. */
export interface SimulatedPolicy {
  name: string
  /** Tokens of all requests together. */
  tokensSent: number
  /** Tokens of the largest request. */
  peakTokens: number
  /** Requests that changed or dropped something sent before: the cache is written again there. */
  rewrites: number
  /** Requests that found the cache cold after a pause. */
  coldStarts: number
  /** What the requests cost, without their answers, in the unit of the prices. */
  cost: number
  /** `cost` as a fraction of sending everything. */
  relativeCost: number
  /** Requests larger than the window; `null` without one. */
  overWindow: number | null
  evidence: EvidenceKept
  /**
   * Tokens of reasoning that the requests held, of those that they would hold were everything sent. What a model demands
   * of its reasoning is part of it where the policy says `binding`.
   */
  reasoning: Kept
  refetched: Refetched
  /**
   * `cost` as a multiple of the cheapest plan that keeps all evidence, `Simulation.bounds.all`: less than 1 only where evidence was
   * lost, or where the policy edits more than results. `null` without bounds.
   */
  regret: number | null
  /** Tokens of each request in turn. */
  contextTokens: number[]
}

/** The result of {@link simulate}. */
export interface Simulation {
  format: Format
  messages: number
  /** Calls of the model. */
  requests: number
  prices: Prices
  /** Seconds that the cache lives; `null` where it is not known. */
  cacheSeconds: number | null
  /** Whether pauses were counted: the session's times were given. */
  hasTimes: boolean
  /** Tokens of the model's answers: the same whatever was sent. */
  answerTokens: number
  /** What sending everything costs, without the answers. */
  baseCost: number
  /** `null` for a session of more than 1,000 requests, and where they were not asked for. */
  bounds: Bounds | null
  policies: SimulatedPolicy[]
}
