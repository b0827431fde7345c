import { effect, signal } from '@preact/signals'
import type { SentRequest } from './agent/requests.js'
import { activity, isPaused, policy, replay, shown, steeredCalls } from './state.js'

/** What the next request would carry, but for what the user writes now; `null` while that is not known. */
export const nextRequest = signal<SentRequest | null>(null)

/** How long the conversation must rest before it is worked out, in milliseconds. */
const REST = 250

/** Works it out whenever the conversation rests: in its worker, so that nobody waits for it. */
export function lookAhead(): void {
  let asked = 0
  effect(() => {
    const { conversation, messages } = shown.value
    const isAtRest = activity.value === null && replay.value === null && messages.length > 0
    // What decides is read so that a change of it is one here too.
    const decides = [policy.value, steeredCalls.value, isPaused.value]
    asked += 1
    const number = asked
    nextRequest.value = null
    if (!isAtRest || decides.length === 0) return
    const timer = setTimeout(async () => {
      // Without an answer nothing stands there, as before it; the request itself will say what is wrong.
      const made = await conversation.ahead(Date.now()).catch(() => null)
      if (number === asked) nextRequest.value = made
    }, REST)
    return () => clearTimeout(timer)
  })
}
