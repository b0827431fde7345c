import { refuseWith } from './check.js'

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

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  try {
    return typeof (answer as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'
  } catch {
    return false
  }
}
