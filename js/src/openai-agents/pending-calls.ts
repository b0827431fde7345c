/** Calls that are dropped, or run in another process, are never asked for. */
const MOST_CALLS = 1000

/**
 * Which items a model had seen when it called `recall`: the tool is told the call's id and nothing of the conversation. An id that two
 * conversations wait for at once is nobody's, so that none gets what is the other's.
 */
export class PendingCalls {
  readonly #items = new Map<string, readonly object[] | undefined>()

  add(callId: string, items: readonly object[]): void {
    const isTaken = this.#items.has(callId)
    this.#items.delete(callId)
    this.#items.set(callId, isTaken ? undefined : items)
    const [oldest] = this.#items.keys()
    if (this.#items.size > MOST_CALLS && oldest !== undefined) this.#items.delete(oldest)
  }

  take(callId: string | undefined): readonly object[] | undefined {
    if (callId === undefined) return undefined
    const items = this.#items.get(callId)
    this.#items.delete(callId)
    return items
  }
}
