import { readable } from '../base/check.js'
import { checkPrices, type Prices } from '../prices/prices.js'

/**
 * Returns the longest pause, in seconds, for which it pays to keep a prompt cache warm: by sending a request
 * with the same prefix and almost no output each time before the cache would expire.
 *
 * A pause of `n` lives of the cache plus a part takes `n` such requests, each of which reads the prefix.
 * Letting the cache expire costs one write of the prefix instead of a read. The result does not depend on the
 * length of the prefix or the content after it.
 *
 * @returns 0 if it never pays; `null` if the life of the cache is unknown or reading is free.
 * @throws {TrimtabError} `invalid_option`.
 */
export function keepWarmSeconds(prices: Prices): number | null {
  return readable('prices', () => {
    const { cacheRead, cacheWrite, cacheSeconds } = checkPrices(prices)
    if (cacheSeconds === null || cacheRead === 0) return null
    // Prices have few digits, but their quotient may have many.
    const lost = Number(((cacheWrite - cacheRead) / cacheRead).toPrecision(6))
    const requests = Math.ceil(lost) - 1
    return requests < 1 ? 0 : (requests + 1) * cacheSeconds
  })
}
