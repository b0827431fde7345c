/** Runs work with the same key one at a time, in the order of the calls. */
export class InTurn<K = string> {
  readonly #last = new Map<K, Promise<unknown>>()

  run<T>(key: K, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    this.#last.set(key, mine)
    const forget = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}
