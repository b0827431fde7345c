import type { SkippedLines } from './types.js'

const SHOWN = 5

/** Counts what a reader leaves out by reason, in the order in which the reasons first occurred. */
export class SkipLog {
  readonly #unit: SkippedLines['unit']
  readonly #byReason = new Map<string, { count: number; first: number[] }>()

  constructor(unit: SkippedLines['unit']) {
    this.#unit = unit
  }

  add(reason: string, at: number): void {
    const seen = this.#byReason.get(reason)
    if (seen === undefined) {
      this.#byReason.set(reason, { count: 1, first: [at] })
      return
    }
    seen.count += 1
    if (seen.first.length < SHOWN) seen.first.push(at)
  }

  toList(): SkippedLines[] {
    return [...this.#byReason].map(([reason, { count, first }]) => ({
      reason,
      count,
      unit: this.#unit,
      first: [...first].sort((a, b) => a - b),
    }))
  }
}
