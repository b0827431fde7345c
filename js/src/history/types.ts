import type { BlockFacts, Format, Repair, TokensByKind } from '../generated/types.js'

/** Options of all functions over messages. */
export interface FormatOptions {
  /** The wire format; detected from the structure by default. */
  format?: Format | undefined
}

/**
 * The decisions of a projection, applied again by the next one. Plain JSON: save it with the history.
 *
 * A decision is found again after the history was saved, loaded, truncated or compacted, by its position and
 * the id of its tool use. It is dropped if its content changed.
 */
export interface State {
  /** The version of this object; a newer one is rejected. */
  version: 1
  /** A row of whole numbers for each edit. */
  edits: number[][]
  /** The requests made by a `Context`, with the edits of each. */
  sent?: SentRequests
}

/** The requests made from a history, in order. An edit is stored once for all requests that contained it. */
export interface SentRequests {
  /** Per request: the number of blocks in the history, and a checksum of their contents. */
  requests: number[][]
  /** Per edit in the state's `edits`: the first request that had it. */
  since: number[]
  /**
   * Other edits, per edit: the first request that had it, the first request that no longer had it, and its
   * row.
   */
  past: number[][]
  /** Checksum of what preceded the messages in the requests: the model, the system prompt, the tools. */
  prefix: number
}

/** A record of earlier requests: a state, or an object that returns one, such as a `Context`. */
export type Ledger = State | { toJSON(): { state?: State } }

/** Options of `validate`. */
export interface ValidateOptions extends FormatOptions {
  /**
   * The earlier requests of this history. Enables the rule `thinking_unbound`, as for a model that binds its
   * reasoning: it reports signed reasoning that would be preceded by other content than when it was made, if
   * the history were sent unedited. For a view, see `report.unbound`.
   */
  state?: Ledger | undefined
  /**
   * The model that receives the history, as providers and gateways spell it: `deepseek-v4-pro`. Enables the
   * rule `reasoning-missing`, as it applies to the model while it thinks: DeepSeek and Kimi refuse calls
   * without the reasoning that led to them, Gemini 3 and later a turn's calls without their signatures.
   */
  model?: string | undefined
}

/** A repaired history. */
export interface Repaired<M> {
  /** The host's own objects, except for messages that were repaired or inserted. */
  messages: M[]
  /** The repairs, by position in the original history. */
  repairs: Repair[]
}

/** The result of `inspect`. Tokens are estimates. */
export interface Inspection {
  format: Format
  /** Number of messages. */
  messages: number
  /** Number of assistant messages. */
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
  /** Content of tools and providers that no policy changes, by type, most tokens first. */
  fixed: FixedContent[]
  /** Calls without a result. */
  unansweredCalls: Unpaired[]
  /** Results without a call. */
  orphanResults: Unpaired[]
  /** Every block, in order. */
  blocks: BlockFacts[]
}

/** Content that no policy changes, of one type: almost always of tools that the provider ran. */
export interface FixedContent {
  /** The provider's name: the type of its block or item, or its field; for results of the AI SDK, the tool. */
  type: string
  /** Number of blocks. */
  blocks: number
  tokens: number
  /** Why it is not changed. */
  reason: string
}

/** One tool's results. */
export interface ToolShare {
  tool: string
  /** Number of results. */
  results: number
  tokens: number
}

/** A file that was read more than once. */
export interface RepeatedRead {
  path: string
  /** Number of reads. */
  reads: number
  /** Tokens of all reads except the newest. */
  tokens: number
}

/** Results and their tokens. */
export interface ResultTotal {
  results: number
  tokens: number
}

/** A call without a result, or a result without a call. */
export interface Unpaired {
  /** The position of its message. */
  message: number
  /** The tool's name; empty if unknown. */
  tool: string
  /** Its id; empty if it has none. */
  id: string
}
