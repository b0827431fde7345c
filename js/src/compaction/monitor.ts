import { AMOUNT, check, checkOptions, isAmount, kind, numberFrom, SWITCH } from '../base/check.js'
import { contextWarning } from '../policy/context-warning.js'

/** Options of {@link createContextMonitor}. */
export interface ContextMonitorOptions {
  /** Size of the model's context window in tokens. Default 200,000. */
  window?: number | undefined
  /** Fraction of the window, 0 to 1, at which the model is warned. Default 0.8. */
  warnAt?: number | undefined
  /** Size in tokens at which the conversation should be compacted. Default 100,000. */
  compactAt?: number | undefined
  /** Whether the model was already warned: `warned` of an earlier run. Default false. */
  warned?: boolean | undefined
}

const OPTIONS = {
  window: kind('a number of tokens over 0', (value) => isAmount(value) && value > 0),
  warnAt: numberFrom(0, 1),
  compactAt: AMOUNT,
  warned: SWITCH,
}

/** Result of one check. */
export interface ContextCheck {
  /** Percentage of the window in use. */
  percentage: number
  /** Warning for the model, if the size has just crossed the limit; else `null`. */
  warning: string | null
  /** Whether the conversation should be compacted now. */
  compact: boolean
}

/** Monitors a conversation's size from step to step. */
export interface ContextMonitor {
  /** @param tokens Current size: `report.tokensAfter`, or the provider's count. */
  check(tokens: number): ContextCheck
  /** Whether the model has been warned since the size was last below the limit. Save it with the session. */
  readonly warned: boolean
}

/**
 * Creates a monitor that warns once each time the size crosses the limit; `report.warning` of a projection is present
 * at every step above it. Below the limit the monitor is ready to warn again.
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
