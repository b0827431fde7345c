import { readable } from '../base/check.js'
import { checkPrices, type Prices } from '../prices/prices.js'

/**
 * Up to which pause it pays to keep a prompt cache warm, in seconds: by a request with the same prefix and next to no answer each time before the
 * cache would expire. A pause of `n` lives and a part takes `n` such requests, each of which reads the prefix; letting it go cold
 * writes the prefix once instead of reading it. How long the prefix is does not matter, nor what is asked behind it.
 *
 * @returns 0 where it never pays, `null` where nobody says how long the cache lives or reading it is free.
 * @throws {TrimtabError} `invalid_option`.
 */
export function keepWarmSeconds(prices: Prices): number | null {
  return readable('prices', () => warmSeconds(prices))
}

function warmSeconds(prices: Prices): number | null {
  const { cacheRead, cacheWrite, cacheSeconds } = checkPrices(prices)
  if (cacheSeconds === null || cacheRead === 0) return null
  // Prices have few digits, their quotient need not.
  const lost = Number(((cacheWrite - cacheRead) / cacheRead).toPrecision(6))
  const requests = Math.ceil(lost) - 1
  return requests < 1 ? 0 : (requests + 1) * cacheSeconds
}
