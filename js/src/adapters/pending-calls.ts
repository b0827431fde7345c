/** Calls that are dropped, or run in another process, are never asked for. */
const MOST_CALLS = 1000

/** What a call is answered whose conversation is not known. */
export const UNKNOWN_CALL = 'Error: the conversation of this call is not known. Call recall again.'

/**
 * Which messages a model had seen when it called `recall`: the tool is told the call's id and nothing of the conversation. An id that two
 * conversations wait for at once is nobody's, so that none gets what is the other's.
 */
export class PendingCalls {
  readonly #messages = new Map<string, readonly object[] | undefined>()

  add(callId: string, messages: readonly object[]): void {
    const isTaken = this.#messages.has(callId)
    this.#messages.delete(callId)
    this.#messages.set(callId, isTaken ? undefined : messages)
    const [oldest] = this.#messages.keys()
    if (this.#messages.size > MOST_CALLS && oldest !== undefined) this.#messages.delete(oldest)
  }

  take(callId: string | undefined): readonly object[] | undefined {
    if (callId === undefined) return undefined
    const messages = this.#messages.get(callId)
    this.#messages.delete(callId)
    return messages
  }
}
