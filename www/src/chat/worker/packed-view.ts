/**
 * A view for transfer between threads: messages that both have are sent as indices, and each edited message is sent
 * once.
 */
export interface PackedView {
  /** An index in the history, or a negative number for an edited message: -1 is the first one ever sent. */
  readonly places: Int32Array
  /** Edited messages that were not sent before, in order. */
  readonly edited: readonly object[]
}

/** Packs the views of one conversation. */
export class Packing {
  readonly #known = new WeakMap<object, number>()
  #count = 0

  pack(view: readonly object[], messages: readonly object[]): PackedView {
    const places = new Map(messages.map((message, at) => [message, at]))
    const edited: object[] = []
    const nameOf = (message: object): number => {
      const known = this.#known.get(message)
      if (known !== undefined) return known
      edited.push(message)
      this.#count += 1
      this.#known.set(message, -this.#count)
      return -this.#count
    }
    return { places: Int32Array.from(view, (message) => places.get(message) ?? nameOf(message)), edited }
  }
}

/** Unpacks the views of one {@link Packing}. */
export class Unpacking {
  readonly #edited: object[] = []

  unpack({ places, edited }: PackedView, messages: readonly object[]): object[] {
    this.#edited.push(...edited)
    return Array.from(places, (place) => (place < 0 ? this.#edited[-1 - place] : messages[place]) as object)
  }
}
