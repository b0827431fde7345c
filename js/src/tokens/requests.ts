import { type Calibration, calibrate, calibratedTokens, UNCALIBRATED } from './calibrate.js'
import type { ReportedUsage } from './reported-usage.js'
import type { TokensBySource } from './sources.js'

/** The messages of a request, with an estimate of each source. */
export interface Request {
  view: readonly object[]
  estimated: TokensBySource
}

type Usage = Pick<ReportedUsage, 'input' | 'output'>

/**
 * What the reports of a conversation's requests teach, wherever the estimates are from: ratios, and how much a request has
 * beside its messages. The last request is taken as it was counted; what changed since is estimated.
 */
export class Requests {
  calibration: Calibration
  #beside: number
  #last: (Request & { usage: Usage }) | undefined

  /** @param beside Tokens beside the messages, where they are known from before. */
  constructor(calibration: Calibration = UNCALIBRATED, beside = 0) {
    this.calibration = calibration
    this.#beside = beside
  }

  /** Tokens that a request has beside its messages, and what the estimates of these are off by. */
  get beside(): number {
    if (this.#last === undefined) return this.#beside
    const { usage, estimated } = this.#last
    return usage.input - calibratedTokens(this.calibration, estimated)
  }

  /** Tokens of a request. */
  tokens({ view, estimated }: Request): number {
    const last = this.#last
    if (last === undefined) return this.beside + calibratedTokens(this.calibration, estimated)
    const change = difference(estimated, last.estimated)
    if (!startsWith(view, last.view)) return last.usage.input + calibratedTokens(this.calibration, change)
    const { input, output } = last.usage
    const isReported = output > 0 && change.answers !== 0
    const others = isReported ? { ...change, answers: 0 } : change
    return input + (isReported ? output : 0) + calibratedTokens(this.calibration, others)
  }

  /** Takes what the provider reported for a request and for its answer. */
  report({ view, estimated }: Request, usage: Usage): void {
    const last = this.#last
    // Where something was cleared, cut or compacted since, there is no telling what the difference is due to.
    if (last !== undefined && startsWith(view, last.view) && !isOtherContext(last.usage, usage))
      this.#learn(last.usage, difference(estimated, last.estimated), usage.input)
    this.#last = { view: view.slice(), estimated, usage }
  }

  #learn(before: Usage, growth: TokensBySource, input: number): void {
    if (growth.answers === 0) return
    const reported = input - before.input
    if (before.output === 0) {
      this.calibration = calibrate(this.calibration, { estimated: growth, reported })
      return
    }
    const answer = { answers: growth.answers, results: 0, prompts: 0 }
    const others = { ...growth, answers: 0 }
    const learned = calibrate(this.calibration, { estimated: answer, reported: before.output })
    this.calibration = calibrate(learned, { estimated: others, reported: reported - before.output })
  }
}

/** A request that is a tenth smaller than the one before is of another context: compacted, or beside the conversation. */
export function isOtherContext(before: Pick<Usage, 'input'>, now: Pick<Usage, 'input'>): boolean {
  return now.input < 0.9 * before.input
}

function startsWith(view: readonly object[], start: readonly object[]): boolean {
  return view.length >= start.length && start.every((message, index) => view[index] === message)
}

function difference(one: TokensBySource, other: TokensBySource): TokensBySource {
  return {
    answers: one.answers - other.answers,
    results: one.results - other.results,
    prompts: one.prompts - other.prompts,
  }
}
