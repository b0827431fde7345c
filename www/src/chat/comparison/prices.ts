import { computed, signal } from '@preact/signals'
import { PRICES, type Prices, pricedModels, pricesOf } from 'trimtab/money'
import { connection } from '../models/current.js'
import { replay } from '../state.js'

/** Rows of prices by provider, then models; each is a name that `trimtab simulate --prices` knows. */
export const PRICE_NAMES = { providers: Object.keys(PRICES), models: pricedModels }

/** The row that the user chose; `null` is that of the model in use. */
export const chosenPrices = signal<string | null>(null)
export const pricesName = computed(
  () => chosenPrices.value ?? (replay.value === null ? connection.value?.provider : undefined) ?? 'anthropic',
)

export const pricesNamed = (name: string): Prices =>
  name in PRICES ? PRICES[name as keyof typeof PRICES] : pricesOf(name)
