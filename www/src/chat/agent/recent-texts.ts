interface Read {
  readonly message: object
  readonly block: number
  readonly text: string
}

/** Minimum length of a text that is kept, in UTF-16 units: reading a shorter one again takes no time. */
const LONG = 20_000
/** Maximum number of texts that are kept. */
const KEPT = 8

/** Long texts that were read last: a row that is rendered again does not read its text again. */
export class RecentTexts {
  #kept: readonly Read[] = []

  textOf(message: object, block: number, read: () => string): string {
    const known = this.find(message, block)
    if (known !== undefined) return known
    const text = read()
    if (text.length >= LONG) this.#kept = [{ message, block, text }, ...this.#kept].slice(0, KEPT)
    return text
  }

  /** Returns a text if it is kept. */
  find(message: object, block: number): string | undefined {
    return this.#kept.find((one) => one.message === message && one.block === block)?.text
  }
}
