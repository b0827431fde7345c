import { FUNCTION, type Kind, refuseWith } from './check.js'
import { reasonOf } from './error.js'

/**
 * Returns what a function of the host returned, unless it is a promise: that would be taken for an answer, and its
 * rejection would end the process.
 */
export function atOnce<T>(argument: string, answer: T): T {
  if (!isPromise(answer)) return answer
  answer.then(undefined, () => undefined)
  return refuseWith(
    argument,
    `${argument} must answer at once, found a promise: pass a function that is not async`,
  )
}

/**
 * Takes what a callback of the host returned that is asked for nothing. It may be async: nobody waits for it, and its
 * failure is a warning, because the rejection would end the process.
 */
export function unawaited(name: string, answer: unknown): void {
  if (!isPromise(answer)) return
  answer.then(undefined, (error: unknown) => console.warn(`${name} failed: ${reasonOf(error)}`))
}

/** A callback that is asked for nothing, whose promise is taken as {@link unawaited} does. */
/* @__NO_SIDE_EFFECTS__ */
export function callback(name: string): Kind<(...args: never[]) => unknown> {
  const told =
    (call: (...args: never[]) => unknown) =>
    (...args: never[]) =>
      unawaited(name, call(...args))
  return { ...FUNCTION, read: (value) => (FUNCTION.is(value) ? told(value) : value) }
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  try {
    return typeof (answer as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'
  } catch {
    return false
  }
}
