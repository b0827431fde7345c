/** Types of the public API. Those that cross from the engine are declared in Rust and generated. */
export type {
  AgePolicy,
  BlockFacts,
  BlockKind,
  Candidate,
  ClearKeep,
  ClearMeasure,
  ClearPolicy,
  ClearTrigger,
  ClipPolicy,
  ClippedLine,
  Difference,
  EditRefusal,
  EditReport,
  EditSummary,
  EphemeralMode,
  EphemeralPolicy,
  EphemeralWhen,
  FileRead,
  Format,
  Inspection,
  KeepMeasure,
  LineEnding,
  LineRange,
  Origin,
  PassName,
  PassReport,
  Policy,
  ReadErrorType,
  ReadFailure,
  ReadLimits,
  ReadOptions,
  ReadPurpose,
  ReadResult,
  ReadSuccess,
  ReadsPolicy,
  RefusalCode,
  Repair,
  RepeatedRead,
  ResultTotal,
  Role,
  ShownLines,
  TextEncoding,
  TokensByKind,
  ToolShare,
  Unpaired,
  ValidityProblem,
  ValidityRule,
} from './generated/types.js'

import type { EditReport, Format, PassReport, Repair } from './generated/types.js'

/** What a projection decided, for the next one to repeat. Plain JSON. */
export interface State {
  /** The form of this object; a newer one is refused. */
  version: 1
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
  /** What each pass did, in the order in which they ran. */
  readonly passes: readonly PassReport[]
  /** Every edit with its reason; worked out when it is asked for. */
  readonly edits: readonly EditReport[]
}

/** A view of a history. */
export interface Projection<M> {
  /** The view: the host's own objects, except for messages that were edited. */
  messages: M[]
  report: Report
  state: State
}

/** A history as its provider accepts it. */
export interface Repaired<M> {
  /** The host's own objects, except for messages that were repaired or put in. */
  messages: M[]
  /** What was done, by position in the history as it was. */
  repairs: Repair[]
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
}
