import { computed, signal } from '@preact/signals'
import { PRICES, type Prices, pricedModels, pricesOf } from 'trimtab/money'
import { connection } from '../models/current.js'

/** Names of prices, first providers, then models; `trimtab simulate --prices` accepts each. */
export const PRICE_NAMES = { providers: Object.keys(PRICES), models: pricedModels }

/** The name that the user chose; `null` for that of the current model. */
export const chosenPrices = signal<string | null>(null)

/** The name for the current model: the model's own if it is known, or else its provider's. */
export const ownPrices = computed(() => {
  const now = connection.value
  if (now === null) return 'anthropic'
  return pricedModels.find((name) => name.replace('*', '') === now.model) ?? now.provider
})

export const pricesNamed = (name: string): Prices =>
  Object.hasOwn(PRICES, name) ? PRICES[name as keyof typeof PRICES] : pricesOf(name)
