import { estimateLines } from './estimate.js'
import type { LineRange } from './line-ranges.js'
import { clippedLine } from './render.js'

/** Collects lines of a file until a view is full. */
export class Room {
  readonly #lines: readonly string[]
  readonly #shown = new Set<number>()
  #linesLeft: number
  #tokensLeft: number

  constructor(lines: readonly string[], maxLines: number, maxTokens: number) {
    this.#lines = lines
    this.#linesLeft = maxLines
    this.#tokensLeft = maxTokens
  }

  /** Adds a whole range, or nothing if it does not fit. Returns whether it is there. */
  takeWhole(range: LineRange): boolean {
    const numbers = this.#missing(range)
    const tokens = estimateLines(numbers.map((number) => clippedLine(this.#lines, number)))
    if (numbers.length > this.#linesLeft || tokens > this.#tokensLeft) return false
    for (const number of numbers) this.#shown.add(number)
    this.#linesLeft -= numbers.length
    this.#tokensLeft -= tokens
    return true
  }

  /** Adds the lines of a range that fit, and returns them. */
  takeLines({ start, end }: LineRange): LineRange[] {
    const lines = Array.from({ length: end - start + 1 }, (_, i) => ({ start: start + i, end: start + i }))
    return lines.filter((line) => this.takeWhole(line))
  }

  #missing({ start, end }: LineRange): number[] {
    const numbers = Array.from({ length: end - start + 1 }, (_, i) => start + i)
    return numbers.filter((number) => !this.#shown.has(number))
  }
}
