import { called, check, OBJECT, readable } from '../base/check.js'
import type { Format } from '../generated/types.js'
import type { ReportedUsage } from './reported-usage.js'
import { calibrateSession, type ReportedGrowth } from './session.js'

/** How the estimates of a session compare with what its provider reported. Tokens. */
export interface ReportedTokens {
  /** Requests whose growth over the one before is known. */
  requests: number
  /** All that was sent with the last request, tools and system prompt included, as the provider counted it. */
  lastRequest: number
  /** What came to the context from request to request, in sum. */
  reported: number
  estimated: ComparedTokens
  /** After each report, the next growth by what was learned. */
  calibrated: ComparedTokens
}

/** Tokens of a session, and how far they are from what was reported. */
export interface ComparedTokens {
  tokens: number
  /** The errors of all requests together, in percent of what was reported. */
  errorPercent: number
}

/** A session with what its provider reported: a `Transcript` of `readTranscript` is one. */
export interface ReportedSession {
  messages: readonly object[]
  format: Format
  /** For each message that the provider answered with, by position. */
  usage?: readonly (ReportedUsage | null)[]
}

/**
 * What `trimtab inspect` shows of a session whose provider reported its tokens: estimated, calibrated and reported.
 * `undefined` where nothing was reported.
 *
 * @param transcript As `readTranscript` gives it.
 */
export function reportedTokens(transcript: ReportedSession): ReportedTokens | undefined {
  return readable('transcript', () => tokensOf(transcript))
}

function tokensOf(transcript: ReportedSession): ReportedTokens | undefined {
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
}
