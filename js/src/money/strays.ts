import type { Recorded } from './session.js'

/** A message of a request that differs from the session's message at that position. */
interface Stray {
  message: object
  place: number
  /** Its position in the session; `undefined` for a message made for the view. */
  own: number | undefined
}

/**
 * The strays of a request. Evidence is counted once per stray that holds it: there are thousands of strays, most of
 * which are in every later request too.
 */
export class Strays {
  readonly #recorded: Recorded
  /** In the order of their positions. */
  readonly #list: Stray[] = []
  /** Number of the first strays whose evidence is counted. A made message is only searched when evidence is missed. */
  #searched = 0
  /** How many made messages contain a text. */
  readonly #texts = new Map<string, number>()
  /** How often a message of the session is shown at another position. */
  readonly #moved = new Map<number, number>()

  constructor(recorded: Recorded) {
    this.#recorded = recorded
  }

  push(message: object, place: number): void {
    const own = this.#recorded.placeOf(message)
    if (own !== undefined) add(this.#moved, own, 1)
    this.#list.push({ message, place, own })
  }

  /** Forgets the strays from a position on. */
  forget(place: number): void {
    for (let last = this.#list.at(-1); last !== undefined && last.place >= place; last = this.#list.at(-1)) {
      this.#list.pop()
      if (last.own !== undefined) add(this.#moved, last.own, -1)
      else if (this.#list.length < this.#searched) this.#count(last, -1)
    }
    this.#searched = Math.min(this.#searched, this.#list.length)
  }

  /** Whether a message of the session is shown at another position. */
  isMoved(own: number): boolean {
    return (this.#moved.get(own) ?? 0) > 0
  }

  /** Whether a message made for the view contains the text of an evidence. */
  hold(text: string): boolean {
    for (; this.#searched < this.#list.length; this.#searched++) {
      const stray = this.#list[this.#searched] as Stray
      if (stray.own === undefined) this.#count(stray, 1)
    }
    return (this.#texts.get(text) ?? 0) > 0
  }

  #count({ message }: Stray, change: number): void {
    for (const text of this.#recorded.evidenceIn(message)) add(this.#texts, text, change)
  }
}

function add<K>(counts: Map<K, number>, key: K, change: number): void {
  counts.set(key, (counts.get(key) ?? 0) + change)
}
