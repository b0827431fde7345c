import type { BlockReport, EditReport, Format, PassReport } from '../generated/types.js'
import type { FixedContent, FormatOptions, State } from '../history/types.js'

/** What a projection did. Tokens are estimates. */
export interface Report {
  readonly format: Format
  /** Assistant messages in the history. */
  readonly steps: number
  /** The step of the view. */
  readonly currentStep: number
  /** Tokens of the whole history. */
  readonly tokensBefore: number
  /** Tokens of the view. */
  readonly tokensAfter: number
  /** The first message that differs from the history's: the prompt cache is valid up to there. */
  readonly firstChangedIndex: number | null
  /**
   * The tokens that the provider will count for a request with the view, including tools and system prompt, predicted
   * from earlier `calibrate` calls of a `Context`; with only a `counter`, those of the messages. Otherwise `null`.
   */
  readonly expectedTokens: number | null
  /**
   * How much of the view the provider's cache should hold, judged by the previous view of the `Context`; `null` for
   * other projections. Computed on access. Messages changed in place are not noticed.
   */
  readonly cache: ExpectedCache | null
  /**
   * With a budget, whether the view fits into it, by `expectedTokens` if they are known; otherwise `null`. A view that
   * does not fit is the smallest possible one. The budget clears no result of less than 320 bytes.
   */
  readonly fits: boolean | null
  /** With `warn`, the warning for the model if the view has reached the fraction of the window; otherwise `null`. */
  readonly warning: string | null
  /**
   * Why nothing may change before the running turn's reasoning, if results there could be edited and the reason is
   * that no model was named, or an unknown one; otherwise `null`.
   */
  readonly waiting: string | null
  /**
   * A costly use of the API and how to fix it: two conversations that share a `Context`, a `Context` that is given its
   * own view, or `project` without `state` with a policy that depends on earlier requests. Otherwise `null`.
   */
  readonly notice: string | null
  /**
   * Signed reasoning whose preceding content differs from when it was made, as positions in the view:
   * `messages.{i}.content.{j}`, as in Anthropic's API. A model that binds reasoning refuses the view, or drops these
   * blocks if the request says so (`drop_block`). Computed on access.
   *
   * With a `Context`, or `project` with `state`, the list is empty unless the policy has `reasoning: 'keep'` or the
   * model accepts such blocks (`free`, `required`). Without them earlier requests are not known, and all reasoning
   * after an edit is listed.
   */
  readonly unbound: readonly string[]
  /** What each pass did, in the order they ran. */
  readonly passes: readonly PassReport[]
  /** Every edit with its reason; computed on access. */
  readonly edits: readonly EditReport[]
  /** Content of tools and providers that no policy changes, by type, most tokens first; computed on access. */
  readonly fixed: readonly FixedContent[]
}

/** The expected content of the prompt cache, if it has not expired. Tokens are those of `expectedTokens`, or else estimates. */
export interface ExpectedCache {
  /** Tokens shared with the previous request, up to the first difference. */
  readonly read: number
  /** All others. */
  readonly written: number
  /** The first message of the previous view that changed or was removed; `null` if the view only grew. */
  readonly firstDifference: number | null
  /** The reported tokens, after `calibrate`; `trimtab/money` explains why they are fewer. */
  readonly reported: { readonly read: number; readonly written: number } | null
}

/** The report of a projection in this process. */
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
  /** The decisions, for the next projection; computed on access. */
  readonly state: State
}

/** Options of {@link project}. */
export interface ProjectOptions extends FormatOptions {
  /** The step of the view: the number of assistant messages so far. Default: all in the history. */
  currentStep?: number | undefined
  /** The `state` that the last projection returned. */
  state?: State | undefined
  /**
   * Seconds since the last request. If the prompt cache has expired, the `retire` pass clears all retired results,
   * because the rewrite costs nothing extra then. Default: the time from the model's last answer to the newest message,
   * if both have a timestamp (`createdAt`, `timestamp`, `ts`, also in `metadata`: a `Date`, a text, milliseconds or
   * seconds); otherwise none. The engine has no clock.
   */
  idle?: number | undefined
  /**
   * The part of the request before the messages, as text: system prompt and tools, or any text that changes when they
   * do. If it differs from the previous request, signed reasoning made with the old one is removed.
   */
  prefix?: string | undefined
  /**
   * The model that receives the view. Its name determines `binding`, unless the policy sets it. Signed reasoning of
   * another model is removed.
   */
  model?: string | undefined
}
