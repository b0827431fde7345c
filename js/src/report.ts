import type { PreparedPolicy } from './prepared-policy.js'
import { type PlanHead, Session } from './session.js'
import type { EditReport, Format, PassReport, Report } from './types.js'

/** A report whose figures are at hand and whose descriptions are worked out when they are asked for. */
export class LazyReport implements Report {
  readonly format: Format
  readonly steps: number
  readonly currentStep: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly firstChangedIndex: number | null
  readonly #session: Session
  readonly #policy: PreparedPolicy
  readonly #seen: readonly object[]
  readonly #length: number
  readonly #epoch: number
  #described: { passes: PassReport[]; edits: EditReport[] } | undefined

  constructor(head: PlanHead, format: Format, session: Session, policy: PreparedPolicy) {
    this.format = format
    this.steps = head.steps
    this.currentStep = head.currentStep
    this.tokensBefore = head.tokensBefore
    this.tokensAfter = head.tokensAfter
    this.firstChangedIndex = head.firstChangedIndex
    this.#session = session
    this.#policy = policy
    this.#seen = session.seen
    this.#length = session.length
    this.#epoch = session.epoch
  }

  get passes(): readonly PassReport[] {
    return this.#describe().passes
  }

  get edits(): readonly EditReport[] {
    return this.#describe().edits
  }

  toJSON(): Report {
    const { format, steps, currentStep, tokensBefore, tokensAfter, firstChangedIndex, passes, edits } = this
    return { format, steps, currentStep, tokensBefore, tokensAfter, firstChangedIndex, passes, edits }
  }

  /** A plan is a function of its input: it is made again, from the facts where they are still those of the report. */
  #describe() {
    if (this.#described === undefined) {
      const isSame = this.#session.epoch === this.#epoch && this.#session.length === this.#length
      const session = isSame ? this.#session : new Session(this.format)
      this.#described = session.describe(this.#seen.slice(0, this.#length), this.#policy, this.currentStep)
    }
    return this.#described
  }
}
