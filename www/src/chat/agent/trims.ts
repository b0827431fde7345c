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
  /** Whether the user excluded calls from the same request, so that the cache was rewritten anyway. */
  readonly isAlong?: boolean
}

/** A trim as shown in the thread: a request that shortened the view, together with small cuts before it. */
export interface Trim extends Cut {
  /** Who decided: the policy, or the user, who excluded calls. */
  readonly by: 'policy' | 'user'
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
    this.#forget(made)
    const { sent, edits } = made
    const isByUser = ({ pass }: EditReport) => pass === 'exclude'
    const byUser = edits.filter(isByUser)
    const byPolicy = edits.filter((edit) => !isByUser(edit))
    const excluded = this.#saved(byUser)
    const shortened = Math.max(0, this.#saved(byPolicy))
    const between = sent + shortened
    const isAlong = excluded > 0
    const trimmed = this.#collect({ request, before: between, after: sent, isAlong }, byPolicy)
    if (!isAlong) return trimmed
    // What the user excludes is shown at once, and apart from what the policy shortens along with it.
    const cut = { request, before: between + excluded, after: between }
    return [{ ...cut, by: 'user', edits: byUser, cuts: [cut] }, ...trimmed]
  }

  /** Adds a cut of the policy to those that wait. Returns them as one trim if they are large enough together. */
  #collect(cut: Cut, edits: readonly EditReport[]): Trim[] {
    if (cut.before <= cut.after) return []
    this.#waiting.push({ cut, edits })
    const sum = this.#waiting.reduce((tokens, one) => tokens + one.cut.before - one.cut.after, 0)
    if (sum < SMALL * (cut.after + sum)) return []
    const told = this.#waiting
    this.#waiting = []
    return [
      {
        ...cut,
        before: cut.after + sum,
        by: 'policy',
        edits: lastOfEach(told.flatMap((one) => one.edits)),
        cuts: told.map((one) => one.cut),
      },
    ]
  }

  /** Forgets the edits that a request takes back. */
  #forget({ dropped }: SentRequest): void {
    if (dropped.length === 0) return
    for (const place of dropped) this.#known.delete(place)
    this.#waiting = this.#waiting.filter(({ edits }) => edits.some((edit) => this.#known.has(placeOf(edit))))
  }

  /** Returns the tokens that edits save, compared with the previous request. */
  #saved(edits: readonly EditReport[]): number {
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
    const held = cut.isAlong ? request.cached : Math.min(before.sent, cut.before)
    paid += requestCost({ cached: request.cached, written: cut.after - request.cached }, prices)
    paid -= requestCost({ cached: held, written: cut.before - held }, prices)
    saved += (cut.before - cut.after) * prices.cacheRead
  }
  return paid <= 0 ? 0 : Math.ceil(paid / saved)
}
