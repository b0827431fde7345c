import type { ReportedUsage } from './reported-usage.js'

/** Usage up to this multiple of the expected tokens is taken as that of one request. */
const SPREAD = 1.5

/**
 * Recognises usage that is a sum: of the requests since the last report, or of all requests reported so far,
 * as frameworks return it for a run. Taken as the usage of one request, it would make the context seem many
 * times its size.
 */
export class RunningTotal {
  /** Expected tokens of each request since the last report. */
  #expected: number[] = []
  #last: ReportedUsage | undefined

  /** Records the expected tokens of a request. */
  sent(tokens: number): void {
    this.#expected.push(tokens)
  }

  /** Returns the usage of the last request only. */
  ownOf(usage: ReportedUsage): ReportedUsage {
    const own = this.#expected.at(-1) ?? 0
    const since = this.#expected.reduce((sum, tokens) => sum + tokens, 0)
    const count = Math.max(1, this.#expected.length)
    const last = this.#last
    this.#expected = []
    this.#last = usage
    if (own === 0 || usage.input <= SPREAD * own) return usage
    const isTotal = last !== undefined && usage.output >= last.output && usage.cached >= last.cached
    const total = isTotal ? last.input + since : own
    const nearest = [own, since, total].reduce((one, other) =>
      distance(other, usage.input) < distance(one, usage.input) ? other : one,
    )
    if (nearest === own) return usage
    return share(isTotal && nearest === total ? minus(usage, last) : usage, own / since, count)
  }
}

const distance = (one: number, other: number): number => Math.abs(Math.log(one / other))

function minus(usage: ReportedUsage, before: ReportedUsage): ReportedUsage {
  const [input, cached, output] = [
    usage.input - before.input,
    usage.cached - before.cached,
    usage.output - before.output,
  ]
  return { input, cached, output }
}

/** The last request's share of the usage of several. */
function share(usage: ReportedUsage, part: number, count: number): ReportedUsage {
  const { input, cached, output } = usage
  return {
    input: Math.round(input * part),
    cached: Math.round(cached * part),
    output: Math.round(output / count),
  }
}
