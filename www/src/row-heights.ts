/** Heights of rows and where each one starts; a row's height is a guess until it was measured. Pure. */
export class RowHeights {
  readonly #heights: Float64Array
  readonly #starts: Float64Array
  /** `#starts` is right up to and including this index. */
  #valid = 0

  constructor(count: number, guess: (row: number) => number) {
    this.#heights = new Float64Array(count)
    for (let row = 0; row < count; row++) this.#heights[row] = guess(row)
    this.#starts = new Float64Array(count + 1)
  }

  get count(): number {
    return this.#heights.length
  }

  get total(): number {
    return this.start(this.count)
  }

  /** Takes a measured height; true when it differs from what was there. */
  measure(row: number, height: number): boolean {
    if (Math.abs((this.#heights[row] ?? 0) - height) < 0.5) {
      return false
    }
    this.#heights[row] = height
    this.#valid = Math.min(this.#valid, row)
    return true
  }

  start(row: number): number {
    for (let i = this.#valid; i < row; i++) {
      this.#starts[i + 1] = (this.#starts[i] ?? 0) + (this.#heights[i] ?? 0)
    }
    this.#valid = Math.max(this.#valid, row)
    return this.#starts[row] ?? 0
  }

  /** The row at a distance from the top; the first or the last one outside. */
  rowAt(y: number): number {
    this.start(this.count)
    let [low, high] = [0, Math.max(0, this.count - 1)]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= y) {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }
}
