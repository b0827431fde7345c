/** Heights and offsets of rows, in pixels; a height is an estimate until the row is measured. Pure. */
export class RowHeights {
  readonly #heights: Float64Array
  readonly #starts: Float64Array
  /** `#starts` is valid up to and including this index. */
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

  /** Records a measured height; returns whether it differs from the known one by half a pixel or more. */
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

  /** Returns the row at an offset from the top; the first or last row for offsets outside. */
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
