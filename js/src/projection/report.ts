import { readable, refuse } from '../base/check.js'
import type { BlockReport, EditReport, Format, PassReport } from '../generated/types.js'
import { fixedContent } from '../history/fixed-content.js'
import { type Description, History, type View } from '../history/history.js'
import { sentences } from '../history/sentences.js'
import type { FixedContent, State } from '../history/types.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import type { RequestCache } from './request-cache.js'
import type { LiveReport, Report } from './types.js'

/**
 * A planned view. It is described on request, from its edits and from the facts; if the session has changed since, the
 * history is read again.
 */
export class PlannedView {
  readonly format: Format
  readonly policy: PreparedPolicy
  /** What is needed to plan it again. */
  readonly plan: { numbers: Uint32Array; requests: number; sticky: boolean }
  readonly #history: History
  readonly #seen: readonly object[]
  readonly #length: number
  readonly #epoch: number

  constructor(view: View<object>, session: History, policy: PreparedPolicy, sticky: boolean) {
    const { numbers, requests } = view
    this.plan = { numbers, requests, sticky }
    this.format = session.detectedFormat()
    this.policy = policy
    this.#history = session
    this.#seen = session.seen
    this.#length = session.length
    this.#epoch = session.epoch
  }

  /** The history of the view. */
  messages(): readonly object[] {
    return this.#seen.slice(0, this.#length)
  }

  /** The facts of the history. */
  facts(): History {
    const isSame = this.#history.epoch === this.#epoch && this.#history.length === this.#length
    return isSame ? this.#history : new History(this.format)
  }

  /** The facts, with what is known of earlier requests. */
  withRequests(): History {
    const facts = this.facts()
    if (facts !== this.#history && this.plan.sticky) facts.takeRequests(this.#history, this.policy)
    return facts
  }
}

export class LazyReport implements LiveReport {
  // In the order of `toJSON`.
  readonly format: Format
  readonly steps: number
  readonly currentStep: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly firstChangedIndex: number | null
  /** Set by the `Context` that made the view. */
  expectedTokens: number | null = null
  /** Set by the `Context` that made the view. */
  cache: RequestCache | null = null
  /** Also set by the `Context` that made the view. */
  fits: boolean | null
  readonly warning: string | null
  readonly waiting: string | null
  /** Set by the function or `Context` that made the view. */
  notice: string | null = null
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
    this.waiting = view.waits ? sentences().waiting : null
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
    this.#fixed ??= readable('messages', () => fixedContent(this.#view.facts(), this.#view.messages()))
    return this.#fixed
  }

  explain(index: number): BlockReport[] {
    const { policy, plan } = this.#view
    const messages = this.#view.messages()
    if (Number.isInteger(index) && index in messages)
      return this.#view.facts().explain(messages, policy, plan, index)
    return refuse('index', `the position of a message, 0 to ${messages.length - 1}`, index)
  }

  /** The decisions of the view, read through the projection. */
  state(): State {
    const { policy, plan } = this.#view
    this.#state ??= this.#view.withRequests().state(this.#view.messages(), policy, plan)
    return this.#state
  }

  toJSON(): Report {
    const { cache, unbound, passes, edits, fixed } = this
    return { ...this, cache: cache?.toJSON() ?? null, unbound, passes, edits, fixed }
  }

  #describe(): Description {
    const { policy, plan } = this.#view
    this.#described ??= this.#view.withRequests().describe(this.#view.messages(), policy, plan)
    return this.#described
  }
}
