import { atOnce } from '../base/at-once.js'
import { copyOf, readable, refuseWith } from '../base/check.js'
import { given, isArray } from '../base/json.js'
import type { Format, Policy } from '../generated/types.js'
import { GrowingViews, type Shown } from '../history/growing-views.js'
import { History } from '../history/history.js'
import { prepare } from '../policy/prepared-policy.js'
import type { ViewFunction } from './types.js'

/**
 * Makes the view of a request from the messages so far, after a pause in seconds. Each call receives the same
 * growing array, with the messages of the previous call and more.
 */
export type Viewer = (messages: readonly object[], pause: number | null) => Shown

/** Shows everything. */
export const showAll: Viewer = (messages) => ({ messages, same: messages.length })

/** Returns a policy's viewer, and a function that frees it. */
export function viewerOf(
  name: string,
  policy: Policy | ViewFunction,
  format: Format,
): { view: Viewer; free: () => void } {
  if (typeof policy === 'function') return { view: checked(name, policy), free: () => undefined }
  // Requirements of models for reasoning are left out of comparisons, unless the policy sets them.
  const prepared = prepare(readable('policies', () => ({ binding: 'free', ...given({ ...policy }) })))
  const history = new History(format, undefined, true)
  const views = new GrowingViews(history, prepared)
  return { view: (messages, pause) => views.next(messages, pause ?? 0), free: () => history.free() }
}

function checked(name: string, policy: ViewFunction): Viewer {
  return (messages, secondsSinceLast) => {
    // A copy, because the function may keep the array.
    const returned: unknown = atOnce('policies', policy(messages.slice(), { secondsSinceLast }))
    const view = readable('policies', () => copyOf(returned), 'invalid_policy')
    if (isArray(view) && view.every((message) => typeof message === 'object' && message !== null))
      return { messages: view as object[], same: 0 }
    const message = `the policy ${JSON.stringify(name)} must return an array of message objects`
    return refuseWith('policies', message, 'invalid_policy')
  }
}
