import { follow } from './follow.js'

/** The time that a read has for its curator, whether it asks the model or waits for an equal read that does. */
export interface TimeLimit {
  /** Aborts with the host's signal, or when the time is over. */
  signal: AbortSignal
  milliseconds: number
  readonly isOver: boolean
  clear(): void
}

/** The longest time of `setTimeout`, 24 days: a longer one would end at once. */
const LONGEST = 2 ** 31 - 1

export function timeLimitOf(milliseconds: number, signal: AbortSignal | undefined): TimeLimit {
  const { controller, release } = follow(signal)
  const limit = {
    signal: controller.signal,
    milliseconds,
    isOver: false,
    clear() {
      clearTimeout(timer)
      release()
    },
  }
  const timer = setTimeout(
    () => {
      limit.isOver = true
      controller.abort(new DOMException('the time for curation is over', 'TimeoutError'))
    },
    Math.min(milliseconds, LONGEST),
  )
  return limit
}
