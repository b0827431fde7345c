import type { BlockReport, EditReport, Format, PassReport } from '../generated/types.js'
import type { FormatOptions, State } from '../history/types.js'

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
  /**
   * What the provider's cache should hold of the view, by the one that the `Context` made before; `null` for other projections.
   * Worked out when it is asked for. A message that was changed in place is not seen.
   */
  readonly cache: ExpectedCache | null
  /** With a budget, whether the view keeps it; else `null`. A view that does not is the smallest there is. */
  readonly fits: boolean | null
  /** With `warn`, the warning for the model once the view has reached the fraction of the window; else `null`. */
  readonly warning: string | null
  /**
   * Why nothing may change before the reasoning of the turn that goes on, where that is because no model was named; else
   * `null`.
   */
  readonly waiting: string | null
  /**
   * What costs more than it must, by the way that the projection was asked for, and what to do: two conversations that share a
   * `Context` in turns, or `project` without `state` where the policy decides by what was sent. Else `null`.
   */
  readonly notice: string | null
  /**
   * Signed reasoning that does not stand behind what was sent when it was made, as Anthropic's API names blocks of the
   * view: `messages.{i}.content.{j}`. A model that binds reasoning refuses the view, or drops these blocks where the
   * request says so (`drop_block`). Worked out when it is asked for.
   *
   * A `Context`, and `project` with `state`, leave none unless the policy says `reasoning: 'keep'` or the model takes
   * them (`free`, `required`). Without, nothing is known of requests: what stands behind an edit counts.
   */
  readonly unbound: readonly string[]
  /** What each pass did, in the order in which they ran. */
  readonly passes: readonly PassReport[]
  /** Every edit with its reason; worked out when it is asked for. */
  readonly edits: readonly EditReport[]
}

/** What is expected of the prompt cache, as long as it lives. Tokens are those of `expectedTokens`, or else estimates. */
export interface ExpectedCache {
  /** Tokens that the request before had too, up to the first difference. */
  readonly read: number
  /** All others. */
  readonly written: number
  /** The first message of the view before that is another now, or gone; `null` where the view only grew. */
  readonly firstDifference: number | null
  /** What came, once `calibrate` was told; `trimtab/money` says why it is less. */
  readonly reported: { readonly read: number; readonly written: number } | null
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

/** Options of {@link project}. */
export interface ProjectOptions extends FormatOptions {
  /** The step to make the view for: how many assistant messages there have been. Default: all in the history. */
  currentStep?: number
  /** What the last projection returned. */
  state?: State
  /**
   * Seconds since the last request. Beyond the life of the prompt cache, the `retire` pass clears all that is retired: it
   * rewrites nothing then. Default: from the model's last answer to the newest message, where both say when they were
   * written (`createdAt`, `timestamp`, `ts`, also in `metadata`: a `Date`, a text, milliseconds or seconds), else none. The
   * engine has no clock.
   */
  idle?: number
  /**
   * What the request has before the messages, as text: the system prompt and the tools, or anything that changes when they
   * do. Where it is another than in the request before, signed reasoning goes that was made behind the other.
   */
  prefix?: string
  /**
   * The model that the view is for: what it demands of its reasoning is known from its name, where the policy does not say
   * `binding`. Signed reasoning of another model goes.
   */
  model?: string
}
