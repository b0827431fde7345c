import { AMOUNT, called, checkOptions, NAMED, OBJECT } from '../../base/check.js'
import type { Format } from '../../generated/types.js'
import { pricesOf } from '../../prices/model-prices.js'
import { checkPrices, PRICES, type Prices } from '../../prices/prices.js'
import type { DiagnoseOptions } from './types.js'

const OPTIONS = { prices: called(OBJECT, 'an object such as PRICES.anthropic'), model: NAMED, ttl: AMOUNT }

export function diagnosisOptions(given: DiagnoseOptions, where: string): DiagnoseOptions {
  const options = checkOptions(given, OPTIONS, where)
  if (options.prices !== undefined) checkPrices(options.prices)
  return options
}

/** Returns the given prices, or those of the requested model, or else of its provider. */
export function pricesFor(
  { model, prices }: DiagnoseOptions,
  asked: string | null,
  format: Format,
  writeSeconds: number | null,
): Prices {
  if (prices !== undefined) return prices
  if (model !== undefined) return pricesOf(model)
  const isHour = writeSeconds === 3600
  try {
    if (asked !== null) return pricesOf(asked, isHour ? { cache: '1h' } : {})
  } catch {
    // A model outside the table: the prices of its provider are the closest.
  }
  if (format === 'gemini') return PRICES.gemini
  if (format.startsWith('openai')) return PRICES.openai
  return isHour ? PRICES['anthropic-1h'] : PRICES.anthropic
}
