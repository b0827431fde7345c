import { AMOUNT, called, check, dataOf, isAmount, kind, LIST, OBJECT, readable } from '../base/check.js'

/** Prices per token by kind, in any unit; only ratios matter. */
export interface Prices {
  /** A token that is sent without being read from or written to a cache: the unit of {@link PRICES}. */
  input: number
  /** A token of a prefix that is read from the cache. */
  cacheRead: number
  /**
   * A token that is sent and written to the cache. If the provider does not charge for writes, the price of
   * `input`.
   */
  cacheWrite: number
  /** A token of the answer. */
  output: number
  /** How long a prefix stays in the cache after its last use, in seconds; `null` if unknown. */
  cacheSeconds: number | null
  /** Prices of larger requests; absent if all requests cost the same. */
  tiers?: readonly PriceTier[] | undefined
}

/** A tier of prices. It applies to the whole request. */
export interface PriceTier {
  /** Applies to requests with more input tokens than this, cached ones included. */
  above: number
  /** Multiple of the prices of input, cache reads and cache writes. */
  input: number
  /** Multiple of the price of output. */
  output: number
}

/** An entry of {@link PRICES}, with its source. */
export interface DatedPrices extends Prices {
  /** The models whose prices have these ratios. */
  models: string
  /** The provider's page with the prices. */
  source: string
  /** The month in which they were recorded. */
  noted: string
}

const ANTHROPIC = {
  models: 'Claude Opus, Sonnet and Haiku 4.5',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
  noted: '2026-11',
}

const OPENAI = {
  models: 'GPT-5',
  source: 'https://developers.openai.com/api/docs/guides/prompt-caching',
  noted: '2026-11',
}

/**
 * Prices in units of one input token, by provider and kind of cache. They become outdated: pass your own if they
 * differ.
 */
export const PRICES = {
  anthropic: { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheSeconds: 300, ...ANTHROPIC },
  'anthropic-1h': { input: 1, cacheRead: 0.1, cacheWrite: 2, output: 5, cacheSeconds: 3600, ...ANTHROPIC },
  openai: { input: 1, cacheRead: 0.1, cacheWrite: 1, output: 8, cacheSeconds: 300, ...OPENAI },
  'openai-24h': { input: 1, cacheRead: 0.1, cacheWrite: 1, output: 8, cacheSeconds: 86_400, ...OPENAI },
  gemini: {
    input: 1,
    cacheRead: 0.1,
    cacheWrite: 1,
    output: 8,
    cacheSeconds: null,
    models: 'Gemini 2.5 Pro up to 200,000 tokens, implicit caching',
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    noted: '2026-11',
  },
  deepseek: {
    input: 1,
    cacheRead: 0.02,
    cacheWrite: 1,
    output: 4,
    cacheSeconds: null,
    models: 'deepseek-flash (V4.1)',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    noted: '2026-10',
  },
} as const satisfies Record<string, DatedPrices>

const SHAPE = {
  input: AMOUNT,
  cacheRead: AMOUNT,
  cacheWrite: AMOUNT,
  output: AMOUNT,
  cacheSeconds: kind('a number of seconds from 0 on, or null', (value) => value === null || isAmount(value)),
}

/**
 * Returns the prices if they are valid.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function checkPrices(prices: Prices): Prices {
  return readable('prices', () => {
    prices = dataOf<Prices>(
      check('prices', prices, called<object>(OBJECT, 'an object such as PRICES.anthropic')) as Prices,
    )
    for (const [name, wanted] of Object.entries(SHAPE)) {
      check(`prices.${name}`, prices[name as keyof Prices], wanted)
    }
    for (const [at, tier] of check('prices.tiers', prices.tiers ?? [], LIST).entries()) {
      const place = `prices.tiers[${at}]`
      const { above, input, output } = check(place, tier, called(OBJECT, TIER_WORDS)) as PriceTier
      check(`${place}.above`, above, AMOUNT)
      check(`${place}.input`, input, AMOUNT)
      check(`${place}.output`, output, AMOUNT)
    }
    return prices
  })
}

const TIER_WORDS = 'an object such as { above: 200000, input: 2, output: 1.5 }'

/** Returns the prices of a request with this many input tokens: those of the highest tier that it exceeds. */
export function pricesAt<P extends Prices>(prices: P, inputTokens: number): P {
  const reached = (prices.tiers ?? []).filter(({ above }) => inputTokens > above)
  if (reached.length === 0) return prices
  const { input, output } = reached.reduce((one, other) => (other.above > one.above ? other : one))
  return {
    ...prices,
    input: prices.input * input,
    cacheRead: prices.cacheRead * input,
    cacheWrite: prices.cacheWrite * input,
    output: prices.output * output,
  }
}

const MOST_MONTHS = 6

/**
 * Returns a warning if the prices were recorded more than six months before `now`; otherwise `undefined`. The
 * caller passes the time, because this package has no clock.
 *
 * @param now Milliseconds since 1970.
 */
export function priceWarning(prices: Prices | DatedPrices, now: number): string | undefined {
  return readable('prices', () => {
    if (!('noted' in prices)) return undefined
    const [year = 0, month = 1] = prices.noted.split('-').map(Number)
    const date = new Date(now)
    const months = (date.getUTCFullYear() - year) * 12 + date.getUTCMonth() + 1 - month
    if (!(months > MOST_MONTHS)) return undefined
    return `the prices were noted ${months} months ago (${prices.noted}): check them at ${prices.source}`
  })
}
