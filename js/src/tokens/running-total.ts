import type { ReportedUsage } from './reported-usage.js'

/** Usage up to this multiple of the expected tokens is taken as that of one request. */
const SPREAD = 1.5

/** Number of reports in a row that have to grow by whole requests before all are taken as running totals. */
const ENOUGH = 3
/** How much the tokens of whole requests may differ from one report to the next, relative to the estimates. */
const STEADY = 0.04

/** Tokens of a request: as expected from earlier reports, and as the engine estimates them. */
interface Sent {
  expected: number
  estimated: number
}

/**
 * Recognises usage that is a sum: of the requests since the last report, or of all requests reported so far,
 * as frameworks return it for a run. Taken as the usage of one request, it would make the context seem many
 * times its size.
 */
export class RunningTotal {
  /** The requests since the last report. */
  #sent: Sent[] = []
  #last: ReportedUsage | undefined
  /** Estimate of the last reported request. */
  #before = 0
  /** Input of the last report beyond that of the one before, relative to the estimates of the requests since. */
  #perRequest = 0
  /** The same, relative to the estimate of what was added. */
  #perAdded = 0
  /** Number of reports in a row that grew by whole requests. */
  #totals = 0

  /** Records a request. */
  sent(request: Sent): void {
    this.#sent.push(request)
  }

  /** Returns the usage of the last request only. */
  ownOf(usage: ReportedUsage): ReportedUsage {
    const sent = this.#sent
    const own = sent.at(-1)?.expected ?? 0
    const since = sent.reduce((sum, { expected }) => sum + expected, 0)
    const part = own === 0 ? 1 : own / since
    const count = Math.max(1, sent.length)
    const last = this.#last
    const isGrowing = last !== undefined && usage.output >= last.output && usage.cached >= last.cached
    this.#follow(usage)
    if (isGrowing && this.#totals >= ENOUGH) return share(minus(usage, last), part, count)
    if (own === 0 || usage.input <= SPREAD * own) return usage
    const total = isGrowing ? last.input + since : own
    const nearest = [own, since, total].reduce((one, other) =>
      distance(other, usage.input) < distance(one, usage.input) ? other : one,
    )
    if (nearest === own) return usage
    return share(isGrowing && nearest === total ? minus(usage, last) : usage, part, count)
  }

  /**
   * Counts reports that grew by whole requests, although little was added to the view: running totals. Early ones are
   * near the size of one request, and once taken for that, the next are as expected. So this goes by the engine's
   * estimates, which no report changes: running totals grow in step with the whole view, and what an estimate misses of
   * the added content in step with that.
   */
  #follow(usage: ReportedUsage): void {
    const requests = this.#sent.reduce((sum, { estimated }) => sum + estimated, 0)
    const estimated = this.#sent.at(-1)?.estimated ?? this.#before
    const added = estimated - this.#before
    const increase = usage.input - (this.#last?.input ?? usage.input)
    const [perRequest, perAdded] = [increase / Math.max(1, requests), increase / Math.max(1, added)]
    const change = Math.abs(perRequest / this.#perRequest - 1)
    const isInStep = change <= STEADY && change < Math.abs(perAdded / this.#perAdded - 1) / 2
    if (increase <= 0) this.#totals = 0
    else if (added > 0 && estimated > 4 * added) {
      const isTotal = perRequest > 0.6 && (isInStep || this.#totals >= ENOUGH)
      this.#totals = isTotal ? this.#totals + 1 : 0
    }
    this.#perRequest = perRequest
    this.#perAdded = perAdded
    this.#before = estimated
    this.#last = usage
    this.#sent = []
  }
}

const distance = (one: number, other: number): number => Math.abs(Math.log(one / other))

const minus = (usage: ReportedUsage, before: ReportedUsage): ReportedUsage => ({
  input: usage.input - before.input,
  cached: usage.cached - before.cached,
  output: usage.output - before.output,
})

/** The last request's share of the usage of several. */
const share = ({ input, cached, output }: ReportedUsage, part: number, count: number): ReportedUsage => ({
  input: Math.round(input * part),
  cached: Math.round(cached * part),
  output: Math.round(output / count),
})
