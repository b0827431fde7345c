/** Runs work with the same key one at a time, in the order of the calls. */
export class InTurn {
  readonly #last = new Map<string, Promise<unknown>>()

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    this.#last.set(key, mine)
    const forget = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}
