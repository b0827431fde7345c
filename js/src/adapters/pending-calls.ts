import { dropOldest } from '../base/lists.js'

/** Maximum number of pending calls: a call that is dropped or runs in another process is never taken. */
const MOST_CALLS = 1000

/** The answer to a call whose conversation is unknown. */
export const UNKNOWN_CALL = 'Error: the conversation of this call is not known. Call recall again.'

/**
 * Maps a call of `recall` to its messages or session: the tool receives only the call's id. An id that two
 * conversations use at once is mapped to neither, so that none gets the content of the other.
 */
export class PendingCalls<T = readonly object[]> {
  readonly #calls = new Map<string, T | undefined>()

  add(callId: string, origin: T): void {
    const isTaken = this.#calls.has(callId)
    this.#calls.delete(callId)
    this.#calls.set(callId, isTaken ? undefined : origin)
    dropOldest(this.#calls, MOST_CALLS)
  }

  take(callId: string | undefined): T | undefined {
    if (callId === undefined) return undefined
    const origin = this.#calls.get(callId)
    this.#calls.delete(callId)
    return origin
  }
}
