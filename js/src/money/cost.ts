import { AMOUNT, check, readable } from '../base/check.js'
import { checkPrices, type Prices, pricesAt } from '../prices/prices.js'

/** The billed tokens of one request and its answer. */
export interface RequestTokens {
  /** Read from the cache. */
  cached: number
  /** Sent after the cached prefix, and written to the cache for the next request. */
  written: number
  /** Sent without a cache. Default 0. */
  uncached?: number | undefined
  /** Tokens of the answer. Default 0. */
  output?: number | undefined
}

/** Returns a cost as a multiple of another; 1 if that is 0. */
export function relativeTo(base: number, cost: number): number {
  return base === 0 ? 1 : cost / base
}

/**
 * Returns the cost of a request, in the unit of the prices: each kind of token times its price, in the tier
 * reached by the whole input.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function requestCost(tokens: RequestTokens, prices: Prices): number {
  return readable('prices', () => {
    const { cached, written, uncached = 0, output = 0 } = tokens ?? {}
    for (const [name, amount] of Object.entries({ cached, written, uncached, output })) {
      check(`tokens.${name}`, amount, AMOUNT)
    }
    const price = pricesAt(checkPrices(prices), cached + written + uncached)
    return (
      cached * price.cacheRead + written * price.cacheWrite + uncached * price.input + output * price.output
    )
  })
}
