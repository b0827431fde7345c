import type { ReportedUsage } from './reported-usage.js'

/** Usage up to this multiple of the expected tokens is taken as that of one request. */
const SPREAD = 1.5

/** Number of reports in a row that have to grow by whole requests before all are taken as running totals. */
const ENOUGH = 2

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
  /** Input of the last report beyond that of the one before. */
  #increase = 0
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
   * Counts reports that grew by whole requests, and each time by more, although little was added to the view: running
   * totals. Early ones are near the size of one request, and once taken for that, the next are as expected. So this goes
   * by the engine's estimates, which no report changes.
   */
  #follow(usage: ReportedUsage): void {
    const requests = this.#sent.reduce((sum, { estimated }) => sum + estimated, 0)
    const estimated = this.#sent.at(-1)?.estimated ?? this.#before
    const added = estimated - this.#before
    const increase = usage.input - (this.#last?.input ?? usage.input)
    if (increase <= 0) this.#totals = 0
    else if (added > 0 && estimated > 4 * added)
      this.#totals = increase >= requests / 2 && increase > this.#increase ? this.#totals + 1 : 0
    this.#increase = increase
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
