import { signal } from '@preact/signals'

/** Dollars of a million input tokens, where the user gave them: the package knows ratios, which age less. */
export const dollars = signal<number | null>(null)

/** What so many input tokens cost, in dollars. */
export const inDollars = (tokens: number, perMillion: number): string => {
  const sum = (tokens * perMillion) / 1e6
  return `$${sum.toFixed(sum < 1 ? 3 : 2)}`
}
