import { effect, signal } from '@preact/signals'
import type { SentRequest } from './agent/requests.js'
import { activity, isPaused, policy, replay, shown, steeredCalls } from './state.js'

/** The next request without the text that is being written; `null` until it is computed. */
export const nextRequest = signal<SentRequest | null>(null)

/** Delay after the last change before it is computed, in milliseconds. */
const REST = 250

/** Computes the next request whenever the conversation is idle, in its worker, so that the page does not wait. */
export function lookAhead(): void {
  let asked = 0
  effect(() => {
    const { conversation, messages } = shown.value
    const isAtRest = activity.value === null && replay.value === null && messages.length > 0
    // Read here so that the effect also runs when these change.
    const decides = [policy.value, steeredCalls.value, isPaused.value]
    asked += 1
    const number = asked
    nextRequest.value = null
    if (!isAtRest || decides.length === 0) return
    const timer = setTimeout(async () => {
      // On an error nothing is shown: the request itself will report it.
      const made = await conversation.ahead(Date.now()).catch(() => null)
      if (number === asked) nextRequest.value = made
    }, REST)
    return () => clearTimeout(timer)
  })
}
