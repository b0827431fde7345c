/** A view as it crosses between threads: of messages that both have the places alone, and each edited message once. */
export interface PackedView {
  /** A place in the history, or an edited message: -1 is the first one that ever crossed. */
  readonly places: Int32Array
  /** Edited messages that did not cross before, in order. */
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

/** Unpacks what one {@link Packing} packed. */
export class Unpacking {
  readonly #edited: object[] = []

  unpack({ places, edited }: PackedView, messages: readonly object[]): object[] {
    this.#edited.push(...edited)
    return Array.from(places, (place) => (place < 0 ? this.#edited[-1 - place] : messages[place]) as object)
  }
}
