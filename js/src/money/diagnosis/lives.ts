import { HOUR_SECONDS } from '../../tokens/cache-writes.js'

/** What a request leaves in the cache. Marks of an hour come before those of a shorter life. */
export interface Left {
  /** Tokens of the prefix that is cached. */
  tokens: number
  /** Tokens of its start that live an hour. */
  hour: number
  /** The life of the rest in seconds; `null` if unknown. */
  seconds: number | null
}

/** What a pause ended. */
export interface Expiry {
  pauseSeconds: number
  /** The life that was exceeded. */
  cacheSeconds: number
  /** Tokens of the prefix that live on. */
  alive: number
}

/** Returns what a pause ended, of what a request left; `undefined` if nothing, or if a time is unknown. */
export function expiryOf({ hour, seconds, tokens }: Left, then: number | null, now: number | null) {
  if (then === null || now === null) return undefined
  const pauseSeconds = Math.round((now - then) / 1000)
  const over = (cacheSeconds: number, alive: number): Expiry => ({ pauseSeconds, cacheSeconds, alive })
  if (hour > 0 && pauseSeconds > HOUR_SECONDS) return over(HOUR_SECONDS, 0)
  const isWhole = hour > 0 && hour >= tokens
  if (isWhole || seconds === null || pauseSeconds <= seconds) return undefined
  return over(seconds, hour)
}
