import type { BlockFacts, Format, Repair, TokensByKind } from '../generated/types.js'

/** Options that all functions over messages take. */
export interface FormatOptions {
  /** The wire format; detected from structure when absent. */
  format?: Format
}

/**
 * The decisions of a projection, which the next one repeats. Plain JSON: save it with the history.
 *
 * A decision is found again after the history was saved, loaded, truncated or compacted, by its position and the id of
 * its tool use. It is dropped if its content changed.
 */
export interface State {
  /** The form of this object; a newer one is refused. */
  version: 1
  /** A row of whole numbers for each decided edit. */
  edits: number[][]
  /** What was sent when, where a `Context` made requests: which edits each of them had. */
  sent?: SentRequests
}

/** The requests made from a history, in order. An edit is stored once for all requests that contained it. */
export interface SentRequests {
  /** What each request was made of: how many blocks the history had, and a checksum of what they said. */
  requests: number[][]
  /** Of each of the state's `edits` the first request that had it. */
  since: number[]
  /** Other edits: the first request that had it, the first that had it no more, and its row. */
  past: number[][]
  /** A checksum of what the requests had before their messages: the model, the system prompt, the tools. */
  prefix: number
}

/** A record of earlier requests: a state, or an object that returns one, such as a `Context`. */
export type Ledger = State | { toJSON(): { state?: State } }

/** Options of `validate`. */
export interface ValidateOptions extends FormatOptions {
  /**
   * What was sent of this history so far. Then the rule `thinking_unbound` is looked at too, as for a model that binds
   * its reasoning: signed reasoning that was made behind something else than would stand before it, were the history
   * sent as it is. A view is not the history: what is wrong with one says its `report.unbound`.
   */
  state?: Ledger
  /**
   * The model that the history goes to, as providers and gateways spell it: `deepseek-v4-pro`. Then the rule
   * `reasoning-missing` is looked at too, as the model has it while it thinks: DeepSeek and Kimi refuse calls without the
   * reasoning that led to them, Gemini 3 and later a turn's calls without their signatures.
   */
  model?: string
}

/** A repaired history. */
export interface Repaired<M> {
  /** The host's own objects, except for messages that were repaired or put in. */
  messages: M[]
  /** What was done, by position in the history as it was. */
  repairs: Repair[]
}

/** The result of `inspect`. Tokens are estimates. */
export interface Inspection {
  format: Format
  /** How many messages. */
  messages: number
  /** How many assistant messages. */
  steps: number
  /** Tokens by kind of content. */
  tokens: TokensByKind
  /** Tool results by tool, most tokens first. */
  tools: ToolShare[]
  /** The ten largest tool results, largest first. */
  largest: BlockFacts[]
  /** Files read more than once, most tokens first. */
  repeatedReads: RepeatedRead[]
  /** Reads that a newer read covers or an edit of the file outdates. */
  supersededReads: ResultTotal
  /** Calls without a result. */
  unansweredCalls: Unpaired[]
  /** Results without a call. */
  orphanResults: Unpaired[]
  /** Every block, in order. */
  blocks: BlockFacts[]
}

/** One tool's results. */
export interface ToolShare {
  tool: string
  /** How many results. */
  results: number
  tokens: number
}

/** A file that was read more than once. */
export interface RepeatedRead {
  path: string
  /** How many reads. */
  reads: number
  /** Tokens of all of them but the newest. */
  tokens: number
}

/** Results and their tokens. */
export interface ResultTotal {
  results: number
  tokens: number
}

/** Half of a tool use. */
export interface Unpaired {
  /** The message it stands in. */
  message: number
  /** The tool's name; empty when unknown. */
  tool: string
  /** Its id; empty when it has none. */
  id: string
}
