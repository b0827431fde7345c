import { newId } from '../new-id.js'

/** Gives each call of an answer an id of its own: some servers give none, or restart their ids with each answer. */
export class CallIds {
  readonly #taken: Set<string>

  /** @param known Ids of calls in the history. */
  constructor(known: readonly string[]) {
    this.#taken = new Set(known)
  }

  /** Returns the provider's id, or a new one if it is missing or taken. OpenAI's limit has been 40 characters. */
  own(given: string): string {
    const id =
      given === '' || this.#taken.has(given) ? `call_${newId().replaceAll('-', '').slice(0, 32)}` : given
    this.#taken.add(id)
    return id
  }
}
