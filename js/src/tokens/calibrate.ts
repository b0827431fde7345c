import { dataOf, readable, refuse } from '../base/check.js'
import type { TokensBySource } from './sources.js'

/** What was learned about a model's tokens. Plain JSON. */
export interface Calibration {
  /** The version of this object. */
  version: 1
  /** Factors for the estimates of answers, results and prompts. */
  ratios: readonly [number, number, number]
  /** Covariance of the three ratios. */
  covariance: readonly (readonly [number, number, number])[]
  /** Number of reports learned from. */
  reports: number
}

/** One report: the estimate of some messages, and the provider's count of the same. */
export interface CalibrationReport {
  estimated: TokensBySource
  /** Tokens. */
  reported: number
}

/** The initial calibration: estimates are used as they are, with a standard deviation of a fifth. */
export const UNCALIBRATED: Calibration = {
  version: 1,
  ratios: [1, 1, 1],
  covariance: [
    [0.04, 0, 0],
    [0, 0.04, 0],
    [0, 0, 0.04],
  ],
  reports: 0,
}

/** Expected error of a report: a fraction of it plus a number of tokens, because texts differ. */
const SPREAD = 0.15
const SPREAD_TOKENS = 12
/**
 * Multiple of the standard deviation. A larger error has another cause (an image, a message that was not
 * sent).
 */
const OUTLIER = 3
/** Variance added with each report, because ratios drift with the texts of a session. */
const DRIFT = 1e-5
const RATIO_LIMITS = [0.25, 4] as const

/**
 * Returns the calibration after one more report. Recursive least squares over the three ratios; each report
 * is weighted by its expected accuracy, and its effect is limited if it is an outlier. The same reports give
 * the same ratios on every machine.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function calibrate(calibration: Calibration, report: CalibrationReport): Calibration {
  return readable('report', () => learned(calibration, report))
}

function learned(calibration: Calibration, report: CalibrationReport): Calibration {
  const { ratios, covariance, reports } = checkCalibration(calibration)
  const x = vector(report.estimated)
  if (!Number.isFinite(report.reported) || !x.every(Number.isFinite))
    refuse('report', 'finite numbers', report)
  const spread = (SPREAD * Math.abs(report.reported) + SPREAD_TOKENS) ** 2
  const px = covariance.map((row) => dot(row, x))
  const variance = dot(x, px) + spread
  const error = report.reported - dot(ratios, x)
  const limit = OUTLIER * Math.sqrt(variance)
  const step = Math.max(-limit, Math.min(limit, error)) / variance
  const next = ratios.map((ratio, i) => clamp(ratio + step * (px[i] as number)))
  const after = covariance.map((row, i) =>
    row.map((value, j) => value - ((px[i] as number) * (px[j] as number)) / variance + (i === j ? DRIFT : 0)),
  )
  return {
    version: 1,
    ratios: next as unknown as Calibration['ratios'],
    covariance: after as unknown as Calibration['covariance'],
    reports: reports + 1,
  }
}

/** Returns the estimate, corrected by a calibration. */
export function calibratedTokens(calibration: Calibration, estimated: TokensBySource): number {
  return readable('estimated', () => corrected(calibration, estimated))
}

function corrected(calibration: Calibration, estimated: TokensBySource): number {
  return dot(checkCalibration(calibration).ratios, vector(estimated))
}

function vector({ answers, results, prompts }: TokensBySource): number[] {
  return [answers, results, prompts]
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] as number), 0)
}

function clamp(ratio: number): number {
  return Math.max(RATIO_LIMITS[0], Math.min(RATIO_LIMITS[1], ratio))
}

/**
 * Returns the calibration if it is valid.
 *
 * @throws {TrimtabError} `invalid_option`.
 */
export function checkCalibration(calibration: Calibration): Calibration {
  return readable('calibration', () => {
    calibration = dataOf(calibration ?? {})
    const { version, ratios, covariance } = calibration
    const isVector = (list: unknown): boolean =>
      Array.isArray(list) && list.length === 3 && list.every((value) => Number.isFinite(value))
    const isOne = isVector(ratios) && Array.isArray(covariance) && covariance.length === 3
    if (version === 1 && isOne && covariance.every(isVector)) return calibration
    return refuse('calibration', 'UNCALIBRATED or what calibrate returned, of version 1', calibration)
  })
}
