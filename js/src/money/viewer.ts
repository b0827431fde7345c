import { TrimtabError } from '../base/error.js'
import type { Format, Policy } from '../generated/types.js'
import { Context } from '../projection/context.js'
import type { ViewFunction } from './types.js'

/** The view of a request: of the messages so far, after a pause of some seconds. */
export type Viewer = (messages: readonly object[], pause: number | null) => readonly object[]

/** A policy ready to be replayed, and what frees it. */
export function viewerOf(
  name: string,
  policy: Policy | ViewFunction,
  format: Format,
): { view: Viewer; free: () => void } {
  if (typeof policy === 'function') return { view: checked(name, policy), free: () => undefined }
  const context = new Context(policy, { format })
  return {
    view: (messages, pause) => context.project(messages, { idle: pause ?? 0 }).messages,
    free: () => context[Symbol.dispose](),
  }
}

function checked(name: string, policy: ViewFunction): Viewer {
  return (messages, secondsSinceLast) => {
    const view: unknown = policy(messages, { secondsSinceLast })
    if (Array.isArray(view) && view.every((message) => typeof message === 'object' && message !== null))
      return view as object[]
    const message = `the policy ${JSON.stringify(name)} must return an array of message objects`
    throw new TrimtabError('invalid_policy', message, { argument: 'policies' })
  }
}
