import { largest } from '../base/largest.js'
import { cut } from '../base/text.js'
import type { TextCounter } from '../base/text-counter.js'
import { countedBy } from '../files/content-source.js'
import { estimateByBytes } from '../tokens/byte-estimate.js'

/** Tokens that an answer may always have, so that a limit near 0 leaves the reason of an error. */
const LEAST_TOKENS = 100

/** What one answer may hold, by the host's counter: every text that a tool shortens to its limit is measured here. */
export class TokenBudget {
  readonly count: TextCounter
  readonly #most: number

  /**
   * @param most Maximum tokens; infinite for no limit.
   * @param counter Default: the estimate.
   */
  constructor(most = Number.POSITIVE_INFINITY, counter: TextCounter = estimateByBytes) {
    this.#most = most
    this.count = countedBy(counter)
  }

  holds(text: string): boolean {
    return this.#isWithin(text, this.#most)
  }

  /** The text of as many parts as fit, from `most` down to 0; if not even the text of none fits, its beginning. */
  longest(most: number, textOf: (parts: number) => string): string {
    return this.start(textOf(upTo(most, (parts) => this.holds(textOf(parts)))))
  }

  /** How many of the parts can fit at most: a first bound, for which nothing is counted. */
  atMost(parts: readonly string[]): number {
    let left = this.#most * MOST_UNITS
    const over = parts.findIndex((part) => {
      left -= part.length
      return left < 0
    })
    return over === -1 ? parts.length : over
  }

  /** The text, or its beginning and a mark of the cut. */
  start(text: string): string {
    const most = Math.max(this.#most, LEAST_TOKENS)
    if (this.#isWithin(text, most)) return text
    const begun = (units: number) => `${cut(text, units)}…`
    // A counter counts at least one token for a few dozen characters: longer texts need not be counted.
    const units = upTo(Math.min(text.length - 1, most * MOST_UNITS), (units) =>
      this.#isWithin(begun(units), most),
    )
    return begun(units)
  }

  #isWithin(text: string, most: number): boolean {
    return most === Number.POSITIVE_INFINITY || this.count(text) <= most
  }
}

/** UTF-16 units of a token: more are not shown of a text that is too long. */
const MOST_UNITS = 64

/** Returns the largest number up to `most` that fits; 0 if none does. */
const upTo = (most: number, fits: (number: number) => boolean): number =>
  Math.max(fits(most) ? most : largest(-1, most, fits), 0)
