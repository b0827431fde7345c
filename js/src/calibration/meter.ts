import type { ReportedUsage } from '../transcripts/types.js'
import type { Format } from '../types.js'
import { type Calibration, calibrate, calibratedTokens, UNCALIBRATED } from './calibrate.js'
import { estimateMessages, type TokensBySource } from './estimate.js'

/** A request that was reported. */
interface Reported {
  view: readonly object[]
  estimated: TokensBySource
  usage: Pick<ReportedUsage, 'input' | 'output'>
}

/**
 * Says how many tokens the next request will have, and learns from each report. What the provider counted for the last
 * request, tools and system prompt included, is taken as it is; only what changed since is estimated.
 */
export class TokenMeter {
  /** What was learned so far: plain JSON, to begin the next conversation with. */
  calibration: Calibration
  readonly #format: Format
  readonly #estimates = new WeakMap<object, TokensBySource>()
  #last: Reported | undefined

  constructor(format: Format, calibration: Calibration = UNCALIBRATED) {
    this.#format = format
    this.calibration = calibration
  }

  /**
   * Tokens of a request with these messages. Before the first report tools and a system prompt beside the messages are
   * not in it.
   */
  tokens(view: readonly object[]): number {
    const estimated = this.#estimate(view)
    const last = this.#last
    if (last === undefined) return calibratedTokens(this.calibration, estimated)
    const change = difference(estimated, last.estimated)
    if (!startsWith(view, last.view)) return last.usage.input + calibratedTokens(this.calibration, change)
    const others = { ...change, answers: 0 }
    const answer = change.answers === 0 ? 0 : last.usage.output
    return last.usage.input + answer + calibratedTokens(this.calibration, others)
  }

  /** Takes what the provider reported for a request with these messages, and for its answer. */
  report(view: readonly object[], usage: Pick<ReportedUsage, 'input' | 'output'>): void {
    const estimated = this.#estimate(view)
    const last = this.#last
    // Where something was cleared, cut or compacted since, there is no telling what the difference is due to.
    if (last !== undefined && startsWith(view, last.view))
      this.#learn(last.usage, difference(estimated, last.estimated), usage.input)
    this.#last = { view: view.slice(), estimated, usage }
  }

  #learn(before: Reported['usage'], growth: TokensBySource, input: number): void {
    if (growth.answers === 0) return
    const answer = { answers: growth.answers, results: 0, prompts: 0 }
    const others = { ...growth, answers: 0 }
    const learned = calibrate(this.calibration, { estimated: answer, reported: before.output })
    this.calibration = calibrate(learned, {
      estimated: others,
      reported: input - before.input - before.output,
    })
  }

  #estimate(view: readonly object[]): TokensBySource {
    const fresh = view.filter((message) => !this.#estimates.has(message))
    const found = estimateMessages(fresh, this.#format)
    fresh.forEach((message, index) => {
      this.#estimates.set(message, found[index] as TokensBySource)
    })
    const sum = { answers: 0, results: 0, prompts: 0 }
    for (const message of view) {
      const one = this.#estimates.get(message) as TokensBySource
      sum.answers += one.answers
      sum.results += one.results
      sum.prompts += one.prompts
    }
    return sum
  }
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
