/** Types of the public API. Those that cross from the engine are declared in Rust and generated. */
export type {
  AgePolicy,
  BlockFacts,
  BlockKind,
  BlockReport,
  BudgetPolicy,
  Candidate,
  ClearKeep,
  ClearMeasure,
  ClearPolicy,
  ClearTrigger,
  ClipLimits,
  ClipPolicy,
  ClippedLine,
  ClipUnit,
  Difference,
  DonePolicy,
  EditRefusal,
  EditReport,
  EditSummary,
  EditsPolicy,
  EphemeralMode,
  EphemeralPolicy,
  EphemeralWhen,
  FileRead,
  Format,
  InputsPolicy,
  InputsWhat,
  KeepMeasure,
  KeyInfo,
  LineEnding,
  LineRange,
  ListsPolicy,
  Origin,
  PassName,
  PassReport,
  Policy,
  ProtectPolicy,
  ReadErrorType,
  ReadFailure,
  ReadLimits,
  ReadOptions,
  ReadPurpose,
  ReadResult,
  ReadSuccess,
  ReadsPolicy,
  ReasoningMode,
  RefusalCode,
  Repair,
  Role,
  ShownLines,
  SummarizePolicy,
  Superseded,
  TextEncoding,
  TokensByKind,
  ValidityProblem,
  ValidityRule,
  WarnPolicy,
} from './generated/types.js'

import type {
  BlockFacts,
  BlockReport,
  EditReport,
  Format,
  PassReport,
  Repair,
  TokensByKind,
} from './generated/types.js'

/**
 * What a projection decided, for the next one to repeat. Plain JSON: save it beside the history.
 *
 * A decision is found again in a history that was saved, loaded, cut or compacted in between, by its place and by the
 * id of its tool use. One whose content is not there as it was is dropped.
 */
export interface State {
  /** The form of this object; a newer one is refused. */
  version: 1
  /** A row of whole numbers for each decided edit. */
  edits: number[][]
}

/** What a projection did. Tokens are estimates. */
export interface Report {
  readonly format: Format
  /** Assistant messages in the history. */
  readonly steps: number
  /** The step that the view was made for. */
  readonly currentStep: number
  /** Tokens of the whole history. */
  readonly tokensBefore: number
  /** Tokens of the view. */
  readonly tokensAfter: number
  /** The first message that differs from the history's: a prompt cache holds up to there. */
  readonly firstChangedIndex: number | null
  /**
   * Tokens that the provider will count for a request with the view, tools and system prompt included, by what a
   * `Context` learned from `calibrate`; with a `counter` alone, those of the messages. Else `null`.
   */
  readonly expectedTokens: number | null
  /** With a budget, whether the view keeps it; else `null`. A view that does not is the smallest there is. */
  readonly fits: boolean | null
  /** With `warn`, the warning for the model once the view has reached the fraction of the window; else `null`. */
  readonly warning: string | null
  /** What each pass did, in the order in which they ran. */
  readonly passes: readonly PassReport[]
  /** Every edit with its reason; worked out when it is asked for. */
  readonly edits: readonly EditReport[]
}

/** The report of a projection at hand. */
export interface LiveReport extends Report {
  /**
   * Why each block of a message was kept or edited.
   *
   * @param index The message's position in the history.
   * @throws {TrimtabError} `invalid_option`.
   */
  explain(index: number): BlockReport[]
}

/** A view of a history. */
export interface Projection<M> {
  /** The view: the host's own objects, except for messages that were edited. */
  readonly messages: M[]
  readonly report: LiveReport
  /** What was decided, for the next projection to repeat; worked out when it is asked for. */
  readonly state: State
}

/** A history as its provider accepts it. */
export interface Repaired<M> {
  /** The host's own objects, except for messages that were repaired or put in. */
  messages: M[]
  /** What was done, by position in the history as it was. */
  repairs: Repair[]
}

/** What `inspect` knows of a history. Tokens are estimates. */
export interface Inspection {
  format: Format
  /** How many messages. */
  messages: number
  /** How many assistant messages. */
  steps: number
  /** Tokens by what they are spent on. */
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

/** Options that all functions over messages take. */
export interface FormatOptions {
  /** The wire format; detected from structure when absent. */
  format?: Format
}

/** Options of {@link project}. */
export interface ProjectOptions extends FormatOptions {
  /** The step to make the view for: how many assistant messages there have been. Default: all in the history. */
  currentStep?: number
  /** What the last projection returned. */
  state?: State
  /**
   * Seconds since the last request, as far as they are known. Beyond the life of the prompt cache, the `done` pass
   * clears all that is done: it rewrites nothing then. The engine has no clock.
   */
  idle?: number
}
