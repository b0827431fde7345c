import { signal } from '@preact/signals'

/** Dollars per million input tokens, if the user entered them: the package contains ratios, which change less. */
export const dollars = signal<number | null>(null)

/** Formats the price of input tokens in dollars. */
export const inDollars = (tokens: number, perMillion: number): string => {
  const sum = (tokens * perMillion) / 1e6
  return `$${sum.toFixed(sum < 1 ? 3 : 2)}`
}
