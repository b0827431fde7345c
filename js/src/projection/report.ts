import { refuse } from '../base/check.js'
import type { BlockFacts, BlockReport, EditReport, Format, PassReport } from '../generated/types.js'
import { fixedContent } from '../history/fixed-content.js'
import { type Description, History, type OtherTexts, type View } from '../history/history.js'
import type { FixedContent, State } from '../history/types.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import type { RequestCache } from './request-cache.js'
import type { LiveReport, Report } from './types.js'

const WAITING =
  'the running turn has reasoning of an unknown model after results that could be cleared, so nothing before that reasoning changes until the next prompt. Name the model (`model: ...`) to clear earlier'

/**
 * A view with its figures. Descriptions are computed on access, from its edits and from the facts; if the
 * session has changed since, the history is read again.
 */
export class PlannedView {
  readonly #history: History
  readonly #policy: PreparedPolicy
  readonly #seen: readonly object[]
  readonly #length: number
  readonly #epoch: number
  readonly #view: { currentStep: number; edits: Uint32Array; requests: number; sticky: boolean }
  readonly format: Format
  /** The budget in tokens; `null` if the policy has none. */
  readonly maxTokens: number | null

  constructor(view: View<object>, session: History, policy: PreparedPolicy, sticky: boolean) {
    this.maxTokens = policy.maxTokens
    const { currentStep, edits, requests } = view
    this.#view = { currentStep, edits, requests, sticky }
    this.format = session.detectedFormat()
    this.#history = session
    this.#policy = policy
    this.#seen = session.seen
    this.#length = session.length
    this.#epoch = session.epoch
  }

  get length(): number {
    return this.#length
  }

  describe(): Description {
    return this.#withRequests().describe(this.messages(), this.#policy, this.#view)
  }

  explain(index: number): BlockReport[] {
    return this.#facts().explain(this.messages(), this.#policy, this.#view, index)
  }

  fixed(): FixedContent[] {
    return fixedContent(this.#facts(), this.messages())
  }

  state(): State {
    return this.#withRequests().state(this.messages(), this.#policy, this.#view)
  }

  /** The facts of all blocks of the history. */
  blocks(): readonly BlockFacts[] {
    return this.#facts().blocks(this.messages())
  }

  /** The text of a block of the history. */
  textOf({ message, block }: Pick<BlockFacts, 'message' | 'block'>): string {
    return this.#facts().blockText(this.messages(), message, block)
  }

  /**
   * Messages of the view with other texts at some edits. Edits are addressed by their position in the report.
   */
  withTexts<M extends object>(changes: readonly OtherTexts<M>[]): M[] {
    return this.#facts().withTexts(this.messages(), this.#policy, this.#view, changes)
  }

  /** The history of the view. */
  messages(): readonly object[] {
    return this.#seen.slice(0, this.#length)
  }

  /** The facts, with what is known of earlier requests. */
  #withRequests(): History {
    const facts = this.#facts()
    if (facts !== this.#history && this.#view.sticky) facts.takeRequests(this.#history, this.#policy)
    return facts
  }

  #facts(): History {
    const isSame = this.#history.epoch === this.#epoch && this.#history.length === this.#length
    return isSame ? this.#history : new History(this.format)
  }
}

export class LazyReport implements LiveReport {
  readonly format: Format
  readonly steps: number
  readonly currentStep: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly firstChangedIndex: number | null
  readonly fits: boolean | null
  readonly warning: string | null
  readonly waiting: string | null
  /** Set by the `Context` that made the view. */
  expectedTokens: number | null = null
  /** Set by the function or `Context` that made the view. */
  notice: string | null = null
  /** Set by the `Context` that made the view. */
  cache: RequestCache | null = null
  readonly #view: PlannedView
  #described: Description | undefined
  #fixed: FixedContent[] | undefined
  #state: State | undefined

  constructor(view: View<object>, session: History, policy: PreparedPolicy, sticky: boolean) {
    this.#view = new PlannedView(view, session, policy, sticky)
    this.format = this.#view.format
    this.steps = view.steps
    this.currentStep = view.currentStep
    this.tokensBefore = view.tokensBefore
    this.tokensAfter = view.tokensAfter
    this.firstChangedIndex = view.firstChangedIndex
    this.fits = policy.maxTokens === null ? null : view.tokensAfter <= policy.maxTokens
    this.warning = policy.warning(view.tokensAfter)
    this.waiting = view.waits ? WAITING : null
  }

  /**
   * Returns the view of a report, for other modules of this package; `undefined` if the value is not a
   * report.
   */
  static viewOf(report: unknown): PlannedView | undefined {
    return typeof report === 'object' && report !== null && #view in report ? report.#view : undefined
  }

  get passes(): readonly PassReport[] {
    return this.#describe().passes
  }

  get edits(): readonly EditReport[] {
    return this.#describe().edits
  }

  get unbound(): readonly string[] {
    return this.#describe().unbound
  }

  get fixed(): readonly FixedContent[] {
    this.#fixed ??= this.#view.fixed()
    return this.#fixed
  }

  explain(index: number): BlockReport[] {
    const { length } = this.#view
    if (Number.isInteger(index) && index >= 0 && index < length) return this.#view.explain(index)
    return refuse('index', `the position of a message, 0 to ${length - 1}`, index)
  }

  /** The decisions of the view, read through the projection. */
  state(): State {
    this.#state ??= this.#view.state()
    return this.#state
  }

  toJSON(): Report {
    const { format, steps, currentStep, tokensBefore, tokensAfter, firstChangedIndex } = this
    const cache = this.cache?.toJSON() ?? null
    const { expectedTokens, fits, warning, waiting, notice, unbound, passes, edits, fixed } = this
    const figures = { format, steps, currentStep, tokensBefore, tokensAfter, firstChangedIndex }
    const done = { unbound, passes, edits, fixed }
    return { ...figures, expectedTokens, cache, fits, warning, waiting, notice, ...done }
  }

  #describe(): Description {
    this.#described ??= this.#view.describe()
    return this.#described
  }
}
