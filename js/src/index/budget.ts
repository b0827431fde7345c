import { dataOf, refuse } from '../base/check.js'
import { utf8Length } from '../base/text.js'
import { BYTES_PER_TOKEN } from '../generated/protocol.js'
import type { IndexBudget } from './types.js'

const DEFAULT_LINES = 200

/** Remaining budget of a query, in lines or estimated tokens. */
export class Room {
  readonly #cost: (lines: number, text: () => string) => number
  #left: number

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(budget: IndexBudget = { lines: DEFAULT_LINES }) {
    const { lines, tokens } = dataOf(budget ?? {}) as { lines?: unknown; tokens?: unknown }
    const isOne = (lines === undefined) !== (tokens === undefined)
    const size = lines ?? tokens
    if (!isOne || !Number.isInteger(size) || (size as number) < 0) {
      refuse('budget', '{lines} or {tokens}, a whole number from 0 on', budget)
    }
    this.#left = size as number
    this.#cost = lines === undefined ? (_, text) => utf8Length(text()) / BYTES_PER_TOKEN : (count) => count
  }

  /**
   * Deducts the cost of a passage if it fits the budget, and returns whether it did. `text` is called only for a token
   * budget.
   */
  takes(lines: number, text: () => string): boolean {
    if (this.#left <= 0) return false
    const cost = this.#cost(lines, text)
    if (cost > this.#left) return false
    this.#left -= cost
    return true
  }
}
