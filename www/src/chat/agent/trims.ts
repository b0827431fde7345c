import type { EditReport } from 'trimtab'
import { PRICES, type Prices, requestCost } from 'trimtab/money'
import { placeOf, type SentRequest } from './requests.js'

/** What one request took away. */
interface Cut {
  /** Its position in the requests, from 0. */
  readonly request: number
  /** Tokens that would have been sent without it. */
  readonly before: number
  readonly after: number
}

/** That the context shrank, as the thread says it: a request that took something away, and small cuts in front of it. */
export interface Trim extends Cut {
  readonly edits: readonly EditReport[]
  /** Each by itself, the first one first. */
  readonly cuts: readonly Cut[]
}

/** A cut of a smaller part of what would have been sent is no row by itself: it is told with the next ones. */
const SMALL = 0.02

/** Finds the requests that trimmed, as requests come. */
export class TrimReader {
  /** Every one so far, in order; another list when there are more. */
  trims: readonly Trim[] = []
  /** Tokens of the blocks that are edited, by their places. */
  readonly #known = new Map<string, number>()
  #read = 0
  /** Small cuts that no trim has told yet, and their edits. */
  #waiting: { readonly cut: Cut; readonly edits: readonly EditReport[] }[] = []

  /** Reads what is new of the requests: those before are as they were. */
  read(requests: readonly SentRequest[]): void {
    const found = requests.slice(this.#read).flatMap((request, at) => this.#trim(request, this.#read + at))
    this.#read = requests.length
    if (found.length > 0) this.trims = [...this.trims, ...found]
  }

  #trim(made: SentRequest, request: number): Trim[] {
    const saved = this.#saved(made)
    if (saved <= 0) return []
    const { sent, edits } = made
    const cut = { request, before: sent + saved, after: sent }
    // What the user takes out is told at once, and by itself.
    if (edits.every(({ pass }) => pass === 'exclude')) return [{ ...cut, edits, cuts: [cut] }]
    this.#waiting.push({ cut, edits })
    const sum = this.#waiting.reduce((tokens, one) => tokens + one.cut.before - one.cut.after, 0)
    if (sum < SMALL * (sent + sum)) return []
    const told = this.#waiting
    this.#waiting = []
    return [
      {
        ...cut,
        before: sent + sum,
        edits: lastOfEach(told.flatMap((one) => one.edits)),
        cuts: told.map((one) => one.cut),
      },
    ]
  }

  #saved({ edits, dropped }: SentRequest): number {
    for (const place of dropped) this.#known.delete(place)
    if (dropped.length > 0)
      this.#waiting = this.#waiting.filter(({ edits: cut }) =>
        cut.some((edit) => this.#known.has(placeOf(edit))),
      )
    let saved = 0
    for (const edit of edits) {
      saved += (this.#known.get(placeOf(edit)) ?? edit.tokensBefore) - edit.tokensAfter
      this.#known.set(placeOf(edit), edit.tokensAfter)
    }
    return saved
  }
}

/** Of a block that was edited twice the later edit. */
const lastOfEach = (edits: readonly EditReport[]) => [
  ...new Map(edits.map((edit) => [placeOf(edit), edit])).values(),
]

/**
 * After how many requests a trim has paid for what it rewrote in the cache: 0 where it cost nothing, infinity where it
 * never does.
 */
export function trimPrice(
  requests: readonly SentRequest[],
  { cuts }: Trim,
  prices: Prices = PRICES.anthropic,
): number {
  let paid = 0
  let saved = 0
  for (const cut of cuts) {
    const request = requests[cut.request]
    const before = requests[cut.request - 1]
    if (request === undefined || before === undefined) continue
    const held = Math.min(before.sent, cut.before)
    paid += requestCost({ cached: request.cached, written: request.sent - request.cached }, prices)
    paid -= requestCost({ cached: held, written: cut.before - held }, prices)
    saved += (cut.before - cut.after) * prices.cacheRead
  }
  return paid <= 0 ? 0 : Math.ceil(paid / saved)
}
