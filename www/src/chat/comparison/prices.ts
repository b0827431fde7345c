import { computed, signal } from '@preact/signals'
import { PRICES, type Prices, pricedModels, pricesOf } from 'trimtab/money'
import { connection } from '../models/current.js'

/** Rows of prices by provider, then models; each is a name that `trimtab simulate --prices` knows. */
export const PRICE_NAMES = { providers: Object.keys(PRICES), models: pricedModels }

/** The row that the user chose; `null` is that of the model in use. */
export const chosenPrices = signal<string | null>(null)

/** The row of the model in use: its own, where it is known by its name, or its provider's. */
export const ownPrices = computed(() => {
  const now = connection.value
  if (now === null) return 'anthropic'
  return pricedModels.includes(now.model) ? now.model : now.provider
})

export const pricesNamed = (name: string): Prices =>
  Object.hasOwn(PRICES, name) ? PRICES[name as keyof typeof PRICES] : pricesOf(name)
