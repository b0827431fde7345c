import { AMOUNT, check, checkOptions, isAmount, kind, numberFrom, SWITCH } from '../base/check.js'
import { contextWarning } from '../policy/context-warning.js'

/** Options of {@link createContextMonitor}. */
export interface ContextMonitorOptions {
  /** The model's window, in tokens. Default 200,000. */
  window?: number
  /** The fraction of the window, 0 to 1, from which the model is warned. Default 0.8. */
  warnAt?: number
  /** Tokens from which the conversation is to be compacted. Default 100,000. */
  compactAt?: number
  /** Whether the model was warned already: `warned` of an earlier run. Default false. */
  warned?: boolean
}

const OPTIONS = {
  window: kind('a number of tokens over 0', (value) => isAmount(value) && value > 0),
  warnAt: numberFrom(0, 1),
  compactAt: AMOUNT,
  warned: SWITCH,
}

/** What to do at a size. */
export interface ContextCheck {
  /** How much of the window is used. */
  percentage: number
  /** The warning for the model, where the size has just crossed the limit; else `null`. */
  warning: string | null
  /** Whether it is time to compact. */
  compact: boolean
}

/** Watches a conversation's size from step to step. */
export interface ContextMonitor {
  /** @param tokens The size now: `report.tokensAfter`, or what the provider counted. */
  check(tokens: number): ContextCheck
  /** Whether the model was warned since the size was last below the limit. To be saved with the session. */
  readonly warned: boolean
}

/**
 * Warns once each time the size crosses the limit: `report.warning` of a projection is there at every step above it. Below
 * the limit the monitor is ready to warn again.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function createContextMonitor(options: ContextMonitorOptions = {}): ContextMonitor {
  options = checkOptions(options, OPTIONS, 'createContextMonitor')
  const { window = 200_000, warnAt = 0.8, compactAt = 100_000 } = options
  let warned = options.warned === true
  return {
    get warned() {
      return warned
    },
    check(tokens) {
      check('tokens', tokens, AMOUNT)
      const percentage = (tokens / window) * 100
      const isAbove = tokens >= window * warnAt
      const warning = isAbove && !warned ? contextWarning(percentage) : null
      warned = isAbove
      return { percentage, warning, compact: tokens >= compactAt }
    },
  }
}
