import { isAmount, refuse } from '../base/check.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'

/** Observed life of a provider's prompt cache. Plain JSON. */
export interface SeenCacheLife {
  /** The longest pause, in seconds, after which the cache was still read. */
  aliveAfter: number
  /**
   * The shortest pause, in seconds, longer than `aliveAfter`, after which the cache was empty; `null` if none
   * was observed.
   */
  goneAfter: number | null
}

/** Tokens. Providers may not cache a shorter prompt (minimum: OpenAI 1,024, Anthropic up to 4,096). */
const LEAST_KEPT = 4096
/**
 * Seconds. Caches are documented to live at least five minutes; an earlier miss is due to routing to another
 * machine.
 */
const LEAST_LIFE = 60
/** Fractions of the expected tokens. Above the first the cache is alive, below the second it has expired. */
const [MOST_OF_IT, LEAST_OF_IT] = [0.5, 0.1]

/**
 * Learns the life of the prompt cache from reported usage. A read after a pause proves that the cache lived
 * that long. A miss counts as expiry only if the cache was read before, and until it is read after a pause as
 * long.
 */
export class CacheLife {
  #aliveAfter: number | undefined
  #goneAfter = Number.POSITIVE_INFINITY

  constructor(seen?: SeenCacheLife) {
    if (seen === undefined) return
    const { aliveAfter, goneAfter } = seen ?? {}
    if (!isAmount(aliveAfter) || !(goneAfter === null || isAmount(goneAfter)))
      refuse('calibration.cacheLife', '{ aliveAfter, goneAfter }, in seconds', seen)
    this.#aliveAfter = aliveAfter
    this.#goneAfter = goneAfter ?? Number.POSITIVE_INFINITY
  }

  get seen(): SeenCacheLife | undefined {
    if (this.#aliveAfter === undefined) return undefined
    const isSeen = Number.isFinite(this.#goneAfter)
    return { aliveAfter: this.#aliveAfter, goneAfter: isSeen ? this.#goneAfter : null }
  }

  /**
   * Records the usage of one request.
   *
   * @param pause Seconds before the request.
   * @param expected Tokens shared with the previous request.
   */
  report(pause: number, expected: number, { cached }: ReportedUsage): void {
    if (expected < LEAST_KEPT) return
    if (cached > MOST_OF_IT * expected) {
      this.#aliveAfter = Math.max(this.#aliveAfter ?? 0, pause)
      if (this.#goneAfter <= pause) this.#goneAfter = Number.POSITIVE_INFINITY
    } else if (cached < LEAST_OF_IT * expected && this.#isNews(pause))
      this.#goneAfter = Math.min(this.#goneAfter, pause)
  }

  /** The pause for the policy, in seconds: 0 if the cache outlived one as long, infinity if it did not. */
  pause(seconds: number): number {
    if (this.#aliveAfter === undefined || seconds < LEAST_LIFE) return seconds
    if (seconds <= this.#aliveAfter) return 0
    return seconds >= this.#goneAfter ? Number.POSITIVE_INFINITY : seconds
  }

  #isNews(pause: number): boolean {
    return this.#aliveAfter !== undefined && pause > Math.max(this.#aliveAfter, LEAST_LIFE)
  }
}
