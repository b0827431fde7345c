/** Calls that are dropped, or run in another process, are never asked for. */
const MOST_CALLS = 1000

/** What a call is answered whose conversation is not known. */
export const UNKNOWN_CALL = 'Error: the conversation of this call is not known. Call recall again.'

/**
 * Which messages (or which session) a call of `recall` is of: the tool is told the call's id and nothing of the conversation. An id that two
 * conversations wait for at once is nobody's, so that none gets what is the other's.
 */
export class PendingCalls<T = readonly object[]> {
  readonly #calls = new Map<string, T | undefined>()

  add(callId: string, origin: T): void {
    const isTaken = this.#calls.has(callId)
    this.#calls.delete(callId)
    this.#calls.set(callId, isTaken ? undefined : origin)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest)
  }

  take(callId: string | undefined): T | undefined {
    if (callId === undefined) return undefined
    const origin = this.#calls.get(callId)
    this.#calls.delete(callId)
    return origin
  }
}
