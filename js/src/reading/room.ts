import { estimateLines } from './estimate.js'
import type { LineRange } from './line-ranges.js'
import { clippedLine } from './render.js'

/** Collects lines of a file until a view is full. */
export class Room {
  readonly #lines: readonly string[]
  readonly #shown = new Set<number>()
  #linesLeft: number
  #tokensLeft: number
  /** Collected ranges, in order of collection. */
  readonly taken: LineRange[] = []

  constructor(lines: readonly string[], maxLines: number, maxTokens: number) {
    this.#lines = lines
    this.#linesLeft = maxLines
    this.#tokensLeft = maxTokens
  }

  /** Adds a whole range, or nothing if it does not fit. */
  takeWhole(range: LineRange): void {
    const numbers = this.#missing(range)
    const tokens = estimateLines(numbers.map((number) => clippedLine(this.#lines, number)))
    if (numbers.length > this.#linesLeft || tokens > this.#tokensLeft) return
    for (const number of numbers) this.#shown.add(number)
    this.#linesLeft -= numbers.length
    this.#tokensLeft -= tokens
    this.taken.push(range)
  }

  /** Adds the lines of a range that fit. */
  takeLines({ start, end }: LineRange): void {
    for (let line = start; line <= end; line++) this.takeWhole({ start: line, end: line })
  }

  #missing({ start, end }: LineRange): number[] {
    const numbers = Array.from({ length: end - start + 1 }, (_, i) => start + i)
    return numbers.filter((number) => !this.#shown.has(number))
  }
}
