import { AMOUNT, called, checkOptions, NAMED, OBJECT } from '../../base/check.js'
import type { Format } from '../../generated/types.js'
import { type CacheLife, pricesOf } from '../../prices/model-prices.js'
import { checkPrices, PRICES, type Prices } from '../../prices/prices.js'
import type { Rates } from './accounts.js'
import type { DiagnoseOptions } from './types.js'

const OPTIONS = { prices: called(OBJECT, 'an object such as PRICES.anthropic'), model: NAMED, ttl: AMOUNT }

export function diagnosisOptions(given: DiagnoseOptions, where: string): DiagnoseOptions {
  const options = checkOptions(given, OPTIONS, where)
  if (options.prices !== undefined) checkPrices(options.prices)
  return options
}

/** The lives of what the requests of a log write to the cache. */
export interface WrittenLives {
  hour: boolean
  shorter: boolean
}

/** Returns the given prices, or those of the requested model, or else of its provider. */
export function ratesFor(
  { model, prices }: DiagnoseOptions,
  asked: string | null,
  format: Format,
  written: WrittenLives,
): Rates {
  if (prices !== undefined) return { prices, hourWrite: prices.cacheWrite }
  const usual = model === undefined ? pricesAsked(asked, format, '5m') : pricesOf(model)
  const hour = written.hour ? pricesAsked(model ?? asked, format, '1h') : usual
  return { prices: written.shorter ? usual : hour, hourWrite: hour.cacheWrite }
}

function pricesAsked(model: string | null, format: Format, cache: CacheLife): Prices {
  try {
    if (model !== null) return pricesOf(model, { cache })
  } catch {
    // A model outside the table, or without that life: the prices of its provider are the closest.
  }
  if (format === 'gemini') return PRICES.gemini
  if (format.startsWith('openai')) return PRICES.openai
  return cache === '1h' ? PRICES['anthropic-1h'] : PRICES.anthropic
}
