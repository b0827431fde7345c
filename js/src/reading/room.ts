import { estimateLines } from './estimate.js'
import type { LineRange } from './line-ranges.js'
import { clippedLine } from './render.js'

/** Lines of a file, taken until a view is full. */
export class Room {
  readonly #lines: readonly string[]
  readonly #shown = new Set<number>()
  #linesLeft: number
  #tokensLeft: number
  /** What was taken, in the order in which it was. */
  readonly taken: LineRange[] = []

  constructor(lines: readonly string[], maxLines: number, maxTokens: number) {
    this.#lines = lines
    this.#linesLeft = maxLines
    this.#tokensLeft = maxTokens
  }

  /** Takes all of a range, or nothing. */
  takeWhole(range: LineRange): void {
    const numbers = this.#missing(range)
    const tokens = estimateLines(numbers.map((number) => clippedLine(this.#lines, number)))
    if (numbers.length > this.#linesLeft || tokens > this.#tokensLeft) return
    for (const number of numbers) this.#shown.add(number)
    this.#linesLeft -= numbers.length
    this.#tokensLeft -= tokens
    this.taken.push(range)
  }

  /** Takes of a range the lines that there is room for. */
  takeLines({ start, end }: LineRange): void {
    for (let line = start; line <= end; line++) this.takeWhole({ start: line, end: line })
  }

  #missing({ start, end }: LineRange): number[] {
    const numbers = Array.from({ length: end - start + 1 }, (_, i) => start + i)
    return numbers.filter((number) => !this.#shown.has(number))
  }
}
