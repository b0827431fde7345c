import { called, check, checkOptions, LIST, readable } from '../base/check.js'
import { FORMAT } from '../base/format.js'
import { formatOf } from '../history/format.js'
import { type Calibration, calibrate, calibratedTokens, UNCALIBRATED } from './calibrate.js'
import { estimatesOf } from './estimate.js'
import type { TokenMeterOptions } from './meter.js'
import type { ReportedUsage } from './reported-usage.js'
import { isOtherContext } from './requests.js'
import { sourcesOfAll, sumOfSources, type TokensBySource } from './sources.js'

/** The growth of the context between two requests of a session. Tokens. */
export interface ReportedGrowth {
  /** The position of the answer to the second request. */
  message: number
  estimated: number
  /** The prediction from the earlier reports, with the provider's count for the answer. */
  calibrated: number
  reported: number
}

/** A session's estimates compared with its provider's counts. */
export interface SessionCalibration {
  growth: ReportedGrowth[]
  /** The calibration after the whole session. */
  calibration: Calibration
}

/**
 * Replays a session with its provider's reports. For each request it returns the estimated growth over the
 * previous request, the growth predicted from all earlier reports, and the reported growth.
 *
 * @param usage By position in `messages`, as returned by `readTranscript`.
 */
export function calibrateSession(
  messages: readonly object[],
  usage: readonly (ReportedUsage | null)[],
  options: TokenMeterOptions = {},
): SessionCalibration {
  return readable('usage', () => calibrated(messages, usage, options))
}

function calibrated(
  messages: readonly object[],
  usage: readonly (ReportedUsage | null)[],
  options: TokenMeterOptions,
): SessionCalibration {
  options = checkOptions(options, { format: FORMAT, calibration: null }, 'calibrateSession')
  const { format, calibration: start = UNCALIBRATED } = options
  const estimates = estimatesOf(messages, formatOf(messages, format))
  check('usage', usage, called(LIST, 'an array as readTranscript gives it'))
  const growth: ReportedGrowth[] = []
  let calibration = start
  let before: { at: number; usage: ReportedUsage } | undefined
  usage.forEach((now, message) => {
    if (now === null) return
    if (before !== undefined && !isOtherContext(before.usage, now)) {
      const answer = estimates[before.at] as TokensBySource
      const others = sourcesOfAll(estimates.slice(before.at + 1, message))
      const reported = now.input - before.usage.input
      const { output } = before.usage
      // As `Requests` does it: an answer whose tokens were not reported is estimated like the rest.
      const estimated = output === 0 ? sourcesOfAll([answer, others]) : others
      const calibrated = output + calibratedTokens(calibration, estimated)
      growth.push({ message, estimated: sumOfSources(answer) + sumOfSources(others), calibrated, reported })
      if (output > 0) calibration = calibrate(calibration, { estimated: answer, reported: output })
      calibration = calibrate(calibration, { estimated, reported: reported - output })
    }
    before = { at: message, usage: now }
  })
  return { growth, calibration }
}
