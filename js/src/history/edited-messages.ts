/** An edit in the engine's plan: message, position of the block in it, and what tells its text from others. */
export const EDIT = 3

/** Messages that were edited under one policy, made once and used while their edits stand. */
export class EditedMessages {
  /** By message: position and key of its first edit; the further ones are in `#more`. */
  readonly #positions: number[] = []
  readonly #keys: number[] = []
  readonly #more: (Uint32Array | undefined)[] = []
  readonly #messages: (object | undefined)[] = []

  /** The message made for the edits at `start` to `end` of a plan, if it stands. */
  find(index: number, numbers: Uint32Array, start: number, end: number): object | undefined {
    const isFirst = this.#positions[index] === numbers[start + 1] && this.#keys[index] === numbers[start + 2]
    if (!isFirst) return undefined
    const more = this.#more[index]
    if (end - start !== EDIT + (more?.length ?? 0)) return undefined
    if (more !== undefined) {
      for (let i = 0; i < more.length; i++) if (more[i] !== numbers[start + EDIT + i]) return undefined
    }
    return this.#messages[index]
  }

  keep(index: number, numbers: Uint32Array, start: number, end: number, message: object): void {
    for (let i = this.#messages.length; i <= index; i++) {
      // Filled without holes: the lists stay fast to look up.
      this.#positions.push(-1)
      this.#keys.push(-1)
      this.#more.push(undefined)
      this.#messages.push(undefined)
    }
    this.#positions[index] = numbers[start + 1] as number
    this.#keys[index] = numbers[start + 2] as number
    this.#more[index] = end - start === EDIT ? undefined : numbers.slice(start + EDIT, end)
    this.#messages[index] = message
  }

  forget(length: number): void {
    if (length >= this.#messages.length) return
    for (const list of [this.#positions, this.#keys, this.#more, this.#messages]) list.length = length
  }
}
