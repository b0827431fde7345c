import type { EditReport } from 'trimtab'
import { PRICES, type Prices, requestCost } from 'trimtab/money'
import { placeOf, type SentRequest } from './requests.js'

/** A request that shortened the view. */
interface Cut {
  /** Its index in the requests. */
  readonly request: number
  /** Tokens that would have been sent without the cut. */
  readonly before: number
  readonly after: number
}

/** A trim as shown in the thread: a request that shortened the view, together with small cuts before it. */
export interface Trim extends Cut {
  readonly edits: readonly EditReport[]
  /** The single cuts, in order. */
  readonly cuts: readonly Cut[]
}

/** Minimum share of the tokens to send for a cut to get its own row; smaller ones are added to the next. */
const SMALL = 0.02

/** Finds requests that trimmed, as requests are added. */
export class TrimReader {
  /** All trims so far, in order; a new list whenever there are more. */
  trims: readonly Trim[] = []
  /** Tokens of edited blocks, by position. */
  readonly #known = new Map<string, number>()
  #read = 0
  /** Small cuts that are not part of a trim yet, and their edits. */
  #waiting: { readonly cut: Cut; readonly edits: readonly EditReport[] }[] = []

  /** Reads the new requests; the earlier ones must be unchanged. */
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
    // What the user excludes is shown at once and separately.
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

/** Returns the last edit of each block. */
const lastOfEach = (edits: readonly EditReport[]) => [
  ...new Map(edits.map((edit) => [placeOf(edit), edit])).values(),
]

/**
 * Returns the number of requests after which a trim has recovered the cost of the cache entries that it rewrote: 0 if
 * it cost nothing, infinity if it never does.
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
