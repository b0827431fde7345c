import { called, check, OBJECT, readable } from '../base/check.js'
import type { Format } from '../generated/types.js'
import type { ReportedUsage } from './reported-usage.js'
import { calibrateSession, type ReportedGrowth } from './session.js'

/** A session's estimates compared with the provider's reports. Tokens. */
export interface ReportedTokens {
  /** Requests whose growth over the previous request is known. */
  requests: number
  /** The size of the last request, including tools and system prompt, as counted by the provider. */
  lastRequest: number
  /** The sum of the growth from request to request. */
  reported: number
  estimated: ComparedTokens
  /** The growth predicted by what was learned from the earlier reports. */
  calibrated: ComparedTokens
}

/** Tokens of a session and their error relative to the reports. */
export interface ComparedTokens {
  tokens: number
  /** The sum of the absolute errors of all requests, in percent of the reported tokens. */
  errorPercent: number
}

/** A session with its provider's reports, such as a `Transcript` of `readTranscript`. */
export interface ReportedSession {
  messages: readonly object[]
  format: Format
  /** The usage by position of the message; `null` for messages other than the provider's answers. */
  usage?: readonly (ReportedUsage | null)[] | undefined
}

/**
 * Compares the estimates of a session with its provider's reports, as `trimtab inspect` shows it. `undefined`
 * if nothing was reported.
 *
 * @param transcript A transcript returned by `readTranscript`.
 */
export function reportedTokens(transcript: ReportedSession): ReportedTokens | undefined {
  return readable('transcript', () => {
    check('transcript', transcript, called(OBJECT, 'what readTranscript returned'))
    const { messages, usage, format } = transcript
    if (usage === undefined) return undefined
    const { growth } = calibrateSession(messages, usage, { format })
    const reported = growth.reduce((sum, one) => sum + one.reported, 0)
    if (growth.length === 0 || reported <= 0) return undefined
    const compared = (of: (one: ReportedGrowth) => number): ComparedTokens => {
      const errors = growth.reduce((sum, one) => sum + Math.abs(of(one) - one.reported), 0)
      return {
        tokens: Math.round(growth.reduce((sum, one) => sum + of(one), 0)),
        errorPercent: Math.round((1000 * errors) / reported) / 10,
      }
    }
    return {
      requests: growth.length,
      lastRequest: usage.findLast((one) => one !== null)?.input ?? 0,
      reported,
      estimated: compared((one) => one.estimated),
      calibrated: compared((one) => one.calibrated),
    }
  })
}
