import { isAmount, refuse } from '../base/check.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'

/** How long a provider's prompt cache was seen to live. Plain JSON. */
export interface SeenCacheLife {
  /** Seconds: the longest pause after which the cache was still read. */
  aliveAfter: number
  /** Seconds: the shortest pause after which nothing of it was left, beyond `aliveAfter`; `null` where none was seen. */
  goneAfter: number | null
}

/** Tokens: of less, a provider may keep nothing (OpenAI 1,024, Anthropic up to 4,096). */
const LEAST_KEPT = 4096
/** Seconds: caches are said to live five minutes at least. What is missed sooner went another way, to another machine. */
const LEAST_LIFE = 60
/** More of what was expected is a cache that lives; less than a tenth of it is one that is gone. */
const [MOST_OF_IT, LEAST_OF_IT] = [0.5, 0.1]

/**
 * Learns from reported usage how long the prompt cache lives. What was read after a pause lived so long, for sure; what was
 * not read is taken for gone where the cache has worked before, and until it is seen to outlive such a pause.
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
   * @param pause Seconds before the request.
   * @param expected Tokens that it has in common with the one before.
   */
  report(pause: number, expected: number, { cached }: ReportedUsage): void {
    if (expected < LEAST_KEPT) return
    if (cached > MOST_OF_IT * expected) {
      this.#aliveAfter = Math.max(this.#aliveAfter ?? 0, pause)
      if (this.#goneAfter <= pause) this.#goneAfter = Number.POSITIVE_INFINITY
    } else if (cached < LEAST_OF_IT * expected && this.#isNews(pause))
      this.#goneAfter = Math.min(this.#goneAfter, pause)
  }

  /** A pause as the policy is to take it: none where the cache outlived one as long, endless where it did not. */
  pause(seconds: number): number {
    if (this.#aliveAfter === undefined || seconds < LEAST_LIFE) return seconds
    if (seconds <= this.#aliveAfter) return 0
    return seconds >= this.#goneAfter ? Number.POSITIVE_INFINITY : seconds
  }

  #isNews(pause: number): boolean {
    return this.#aliveAfter !== undefined && pause > Math.max(this.#aliveAfter, LEAST_LIFE)
  }
}
