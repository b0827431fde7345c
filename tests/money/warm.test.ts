import { keepWarmSeconds, PRICES, type Prices, pricesOf, requestCost } from 'trimtab/money'
import { expect, test } from 'vitest'

/** Cost of a pause when the cache is kept warm, and when it goes cold. */
function costs(prices: Prices, pause: number): { warm: number; cold: number } {
  const [tokens, life] = [1000, prices.cacheSeconds as number]
  const read = requestCost({ cached: tokens, written: 0 }, prices)
  return {
    warm: Math.ceil(pause / life) * read,
    cold: pause > life ? requestCost({ cached: 0, written: tokens }, prices) : read,
  }
}

test.each([
  ['anthropic', PRICES.anthropic, 3600],
  ['anthropic with a one-hour cache', PRICES['anthropic-1h'], 19 * 3600],
  ['cheap reads', pricesOf('claude-opus-5-5'), 24 * 300],
  ['openai', PRICES.openai, 2700],
])('keepWarmSeconds is the longest pause for which keeping the cache warm pays: %s', (_, prices, seconds) => {
  const longest = keepWarmSeconds(prices) as number
  expect(longest).toBe(seconds)
  expect(costs(prices, longest).warm).toBeLessThan(costs(prices, longest).cold)
  expect(costs(prices, longest + 1).warm).toBeGreaterThanOrEqual(costs(prices, longest + 1).cold - 1e-9)
})

test('keepWarmSeconds is 0 or null if warming never pays, costs nothing or the cache lifetime is unknown', () => {
  expect(keepWarmSeconds({ ...PRICES.anthropic, cacheRead: 1.25 })).toBe(0)
  expect(keepWarmSeconds({ ...PRICES.anthropic, cacheRead: 0 })).toBeNull()
  expect(keepWarmSeconds(PRICES.gemini)).toBeNull()
})
