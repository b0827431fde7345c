import { grouped } from '../../base/lists.js'
import { type Prices, pricesAt } from '../../prices/prices.js'
import type { CauseTotal, Diagnosis, Miss, MissCause } from './types.js'

/** The billed input tokens of a request. */
export interface Billed {
  input: number
  read: number
  /**
   * Written to the cache; `null` if not reported, in which case all input that was not read counts as
   * written.
   */
  written: number | null
  /** Those of the written tokens that live an hour. */
  hour: number
}

/** What tokens cost. */
export interface Rates {
  prices: Prices
  /** The price of a token written for an hour. */
  hourWrite: number
}

/** Cost of a request's input. */
function inputCost(billed: Billed, { hourWrite, prices }: Rates): number {
  const { input, read, written } = billed
  const price = pricesAt(prices, input)
  const dear = pricesAt({ ...prices, cacheWrite: hourWrite }, input).cacheWrite
  const put = Math.min(written ?? input - read, input - read)
  const hour = Math.min(billed.hour, put)
  const writes = hour * dear + (put - hour) * price.cacheWrite
  return read * price.cacheRead + writes + (input - read - put) * price.input
}

/** Extra cost of each token that was not read from the cache. */
export function extraPerToken(billed: Billed, rates: Rates): number {
  const { input, read } = billed
  if (input <= read) return 0
  const { cacheRead } = pricesAt(rates.prices, input)
  return (inputCost(billed, rates) - read * cacheRead) / (input - read) - cacheRead
}

/**
 * Distributes the missed tokens of a request among its causes; each gets as many as it explains and as are
 * left.
 */
export class Shares {
  readonly causes: MissCause[] = []
  #left: number
  readonly #price: number

  /** @param price Extra cost of a missed token. */
  constructor(missed: number, price: number) {
    this.#left = missed
    this.#price = price
  }

  get left(): number {
    return this.#left
  }

  add(cause: Omit<MissCause, 'tokens' | 'cost'>, most = this.#left): void {
    const tokens = Math.round(Math.max(0, Math.min(most, this.#left)))
    this.#left -= tokens
    this.causes.push({ ...cause, tokens, cost: tokens * this.#price })
  }

  /** The causes, most tokens first. */
  sorted(): MissCause[] {
    return [...this.causes].sort((one, other) => other.tokens - one.tokens)
  }
}

/** Sums up the findings. */
export function summed(
  { hourWrite, prices, ...found }: Pick<Diagnosis, 'from' | 'isReported'> & Rates,
  billed: readonly Billed[],
  misses: readonly Miss[],
): Diagnosis {
  const total = (of: (one: Billed) => number) => billed.reduce((sum, one) => sum + of(one), 0)
  const dearest = [...misses].sort((one, other) => other.cost - one.cost || other.tokens - one.tokens)
  return {
    ...found,
    prices,
    hourWrite: hourWrite === prices.cacheWrite ? null : hourWrite,
    requests: billed.length,
    input: Math.round(total(({ input }) => input)),
    read: Math.round(total(({ read }) => read)),
    missed: misses.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: total((one) => inputCost(one, { hourWrite, prices })),
    missedCost: misses.reduce((sum, { cost }) => sum + cost, 0),
    causes: totalsOf(misses),
    misses: dearest,
  }
}

function totalsOf(misses: readonly Miss[]): CauseTotal[] {
  const all = misses.flatMap(({ causes }) => causes)
  const totals = [...grouped(all, ({ cause }) => cause).values()].map((causes): CauseTotal => {
    const sum = (of: (cause: MissCause) => number) => causes.reduce((found, cause) => found + of(cause), 0)
    const cause = (causes[0] as MissCause).cause
    return {
      cause,
      requests: causes.length,
      tokens: sum(({ tokens }) => tokens),
      cost: sum(({ cost }) => cost),
    }
  })
  return totals.sort((one, other) => other.cost - one.cost || other.tokens - one.tokens)
}
