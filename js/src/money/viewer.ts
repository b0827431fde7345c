import { readable, refuseWith } from '../base/check.js'
import type { Format, Policy } from '../generated/types.js'
import { History } from '../history/history.js'
import { prepare } from '../policy/prepared-policy.js'
import type { ViewFunction } from './types.js'

/**
 * The view of a request: of the messages so far, after a pause of some seconds. Each call takes the messages of the one
 * before and more, in one array that grows.
 */
export type Viewer = (messages: readonly object[], pause: number | null) => readonly object[]

/** A policy ready to be replayed, and what frees it. */
export function viewerOf(
  name: string,
  policy: Policy | ViewFunction,
  format: Format,
): { view: Viewer; free: () => void } {
  if (typeof policy === 'function') return { view: checked(name, policy), free: () => undefined }
  // What a model demands of its reasoning is part of no comparison, unless the policy says it.
  const prepared = prepare(readable('policies', () => ({ binding: 'free', ...policy })))
  const history = new History(format, undefined, true)
  return {
    // As a `Context` does that nobody calibrates.
    view: (messages, pause) => history.view(messages, prepared, -1, true, pause ?? 0).messages,
    free: () => history.free(),
  }
}

function checked(name: string, policy: ViewFunction): Viewer {
  return (messages, secondsSinceLast) => {
    // It may keep the array.
    const view: unknown = policy(messages.slice(), { secondsSinceLast })
    if (Array.isArray(view) && view.every((message) => typeof message === 'object' && message !== null))
      return view as object[]
    const message = `the policy ${JSON.stringify(name)} must return an array of message objects`
    return refuseWith('policies', message, 'invalid_policy')
  }
}
