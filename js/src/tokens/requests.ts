import { type Calibration, calibrate, calibratedTokens, UNCALIBRATED } from './calibrate.js'
import type { ReportedUsage } from './reported-usage.js'
import type { TokensBySource } from './sources.js'

/** The messages of a request, with estimates by source. */
export interface Request {
  view: readonly object[]
  estimated: TokensBySource
}

type Usage = Pick<ReportedUsage, 'input' | 'output'>

/**
 * Learns from the reports of a conversation's requests, independent of the source of the estimates: ratios,
 * and the tokens of a request outside its messages. For the last request the reported count is used; only
 * what changed since is estimated.
 */
export class Requests {
  calibration: Calibration
  #beside: number
  #last: (Request & { usage: Usage }) | undefined

  /** @param beside Tokens outside the messages, if known from before. */
  constructor(calibration: Calibration = UNCALIBRATED, beside = 0) {
    this.calibration = calibration
    this.#beside = beside
  }

  /** Tokens of a request outside its messages, plus the error of the messages' estimates. */
  get beside(): number {
    if (this.#last === undefined) return this.#beside
    const { usage, estimated } = this.#last
    return usage.input - calibratedTokens(this.calibration, estimated)
  }

  /** Predicts the tokens of a request. */
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

  /** Learns from the usage reported for a request and its answer. */
  report({ view, estimated }: Request, usage: Usage): void {
    const last = this.#last
    // If content was cleared, cut or compacted since, the cause of the difference is unknown.
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

/**
 * Whether a request belongs to another context: it is a tenth smaller than the previous one, after compaction
 * or in a side conversation.
 */
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
