import { EDIT_NUMBERS } from '../generated/protocol.js'

/** Messages edited under one policy. A message is made once and reused as long as its edits do not change. */
export class EditedMessages {
  /** Per message: position and key (two numbers) of its first edit; further edits are in `#more`. */
  readonly #positions: number[] = []
  readonly #heads: number[] = []
  readonly #values: number[] = []
  readonly #more: (Uint32Array | undefined)[] = []
  readonly #messages: (object | undefined)[] = []

  /** Returns the message made for the edits from `start` to `end` of a plan, if these are still the same. */
  find(index: number, numbers: Uint32Array, start: number, end: number): object | undefined {
    const isFirst =
      this.#positions[index] === numbers[start + 1] &&
      this.#heads[index] === numbers[start + 2] &&
      this.#values[index] === numbers[start + 3]
    if (!isFirst) return undefined
    const more = this.#more[index]
    if (end - start !== EDIT_NUMBERS + (more?.length ?? 0)) return undefined
    if (more?.some((number, i) => number !== numbers[start + EDIT_NUMBERS + i])) return undefined
    return this.#messages[index]
  }

  keep(index: number, numbers: Uint32Array, start: number, end: number, message: object): void {
    for (let i = this.#messages.length; i <= index; i++) {
      // Filled without holes, because V8 looks up dense arrays faster.
      this.#positions.push(-1)
      this.#heads.push(-1)
      this.#values.push(-1)
      this.#more.push(undefined)
      this.#messages.push(undefined)
    }
    this.#positions[index] = numbers[start + 1] as number
    this.#heads[index] = numbers[start + 2] as number
    this.#values[index] = numbers[start + 3] as number
    this.#more[index] = end - start === EDIT_NUMBERS ? undefined : numbers.slice(start + EDIT_NUMBERS, end)
    this.#messages[index] = message
  }

  forget(length: number): void {
    if (length >= this.#messages.length) return
    for (const list of [this.#positions, this.#heads, this.#values, this.#more, this.#messages])
      list.length = length
  }
}
