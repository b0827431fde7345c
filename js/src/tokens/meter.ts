import { check, checkMessages, checkOptions, dataOf, OBJECT, readable } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { formatOf } from '../history/format.js'
import type { FormatOptions } from '../history/types.js'
import { type Calibration, UNCALIBRATED } from './calibrate.js'
import { estimatesOf } from './estimate.js'
import type { ReportedUsage } from './reported-usage.js'
import { Requests } from './requests.js'
import { sourcesOfAll, type TokensBySource } from './sources.js'

/** Options of {@link TokenMeter}. */
export interface TokenMeterOptions extends FormatOptions {
  /** The calibration of an earlier conversation. */
  calibration?: Calibration | undefined
}

/**
 * Predicts the tokens of the next request, and learns from each report. The provider's count for the last
 * request, including tools and system prompt, is used as it is; only what changed since is estimated.
 */
export class TokenMeter {
  readonly #format: FormatOptions['format']
  readonly #estimates = new WeakMap<object, TokensBySource>()
  readonly #requests: Requests

  /** @throws {TrimtabError} `invalid_option`. */
  constructor(options: TokenMeterOptions = {}) {
    options = checkOptions(options, { format: FORMAT, calibration: null }, 'TokenMeter')
    const { format, calibration = UNCALIBRATED } = options
    this.#format = format
    this.#requests = new Requests(calibration)
  }

  /** The calibration so far. Plain JSON, for use in the next conversation. */
  get calibration(): Calibration {
    return this.#requests.calibration
  }

  /**
   * Returns the tokens of a request with these messages. Before the first report, tools and a separate system
   * prompt are not included.
   */
  tokens(view: readonly object[]): number {
    return this.#requests.tokens(this.#estimated(view))
  }

  /** Learns from the usage reported for a request with these messages and its answer. */
  report(view: readonly object[], usage: Pick<ReportedUsage, 'input' | 'output'>): void {
    const reported = readable('usage', () => dataOf(usage))
    this.#requests.report(this.#estimated(view), reported)
  }

  #estimated(messages: readonly object[]): { view: readonly object[]; estimated: TokensBySource } {
    const view = checkMessages(messages)
    for (const message of view) check('view', message, OBJECT)
    const fresh = view.filter((message) => !this.#estimates.has(message))
    const found = estimatesOf(fresh, formatOf(view, this.#format))
    fresh.forEach((message, index) => {
      this.#estimates.set(message, found[index] as TokensBySource)
    })
    const estimated = sourcesOfAll(view.map((message) => this.#estimates.get(message) as TokensBySource))
    return { view, estimated }
  }
}
