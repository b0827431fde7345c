import { TrimtabError } from '../error.js'
import type { IndexBudget } from './types.js'

const DEFAULT_LINES = 200

/** What is left of a budget. */
export class Room {
  readonly #cost: (text: string, lines: number) => number
  #left: number

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(budget: IndexBudget = { lines: DEFAULT_LINES }) {
    const { lines, tokens } = (budget ?? {}) as { lines?: unknown; tokens?: unknown }
    const isOne = (lines === undefined) !== (tokens === undefined)
    const size = lines ?? tokens
    if (!isOne || !Number.isInteger(size) || (size as number) < 0) {
      const message = `budget must be {lines} or {tokens}, a whole number from 0 on, found ${JSON.stringify(budget)}`
      throw new TrimtabError('invalid_option', message, { argument: 'budget' })
    }
    this.#left = size as number
    this.#cost = lines === undefined ? (text) => bytesOf(text) / 3.5 : (_, count) => count
  }

  /** Takes the room for these lines, if it is there. */
  takes(text: string, lines: number): boolean {
    const cost = this.#cost(text, lines)
    if (cost > this.#left) return false
    this.#left -= cost
    return true
  }
}

const utf8 = new TextEncoder()

export function bytesOf(text: string): number {
  return utf8.encode(text).length
}
