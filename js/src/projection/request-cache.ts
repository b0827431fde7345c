import { isAlike } from '../base/common-start.js'
import type { Format } from '../generated/types.js'
import { History } from '../history/history.js'
import { usage } from '../history/lookups.js'
import type { ReportedUsage } from '../tokens/reported-usage.js'
import type { ExpectedCache } from './types.js'

/**
 * The part of a request that the provider's cache should hold, judged by the previous request. Computed on
 * access.
 */
export class RequestCache implements ExpectedCache {
  readonly #format: Format
  readonly #view: readonly object[]
  readonly #expected: number
  readonly #before: { view: readonly object[]; tokens: number } | undefined
  #reported: ReportedUsage | undefined
  #difference: number | null | undefined
  #read: number | undefined

  /** @param tokens Expected tokens of the request. */
  constructor(view: readonly object[], format: Format, tokens: number, before?: RequestCache) {
    // A copy, because the host may write to the array it was given.
    this.#view = view.slice()
    this.#format = format
    this.#expected = tokens
    this.#before = before === undefined ? undefined : { view: before.#view, tokens: before.#tokens }
  }

  get firstDifference(): number | null {
    if (this.#difference === undefined)
      this.#difference = firstDifference(this.#before?.view ?? [], this.#view)
    return this.#difference
  }

  get read(): number {
    this.#read ??= Math.min(this.#expected, this.#readable())
    return this.#read
  }

  get written(): number {
    return this.#expected - this.read
  }

  get reported(): { read: number; written: number } | null {
    if (this.#reported === undefined) return null
    const { cached, input } = this.#reported
    return { read: cached, written: input - cached }
  }

  report(usage: ReportedUsage): void {
    this.#reported = usage
  }

  toJSON(): ExpectedCache {
    const { firstDifference, read, reported, written } = this
    return { read, written, firstDifference, reported }
  }

  get #tokens(): number {
    return this.#reported?.input ?? this.#expected
  }

  #readable(): number {
    if (this.#before === undefined) return 0
    const { tokens, view } = this.#before
    const same = this.firstDifference
    if (same === null) return tokens
    const history = new History(this.#format)
    const behind = usage(history, view.slice(same)).total
    history.free()
    return Math.max(0, tokens - behind)
  }
}

/**
 * Index of the first message of a view that differs or is missing in the next view; `null` if there is none.
 */
function firstDifference(before: readonly object[], now: readonly object[]): number | null {
  const at = before.findIndex((message, index) => !isAlike(message, now[index]))
  return at === -1 ? null : at
}
