export type { TextCounter } from '../base/text-counter.js'
export {
  type Calibration,
  type CalibrationReport,
  calibrate,
  calibratedTokens,
  UNCALIBRATED,
} from './calibrate.js'
export { type CountOptions, countMessages, estimateMessages } from './estimate.js'
export { estimateTokens } from './estimate-tokens.js'
export { type MessageCounter, messageCounter } from './message-counter.js'
export { TokenMeter, type TokenMeterOptions } from './meter.js'
export { type ComparedTokens, type ReportedTokens, reportedTokens } from './reported-tokens.js'
export type { ReportedUsage } from './reported-usage.js'
export { readUsage } from './reported-usage.js'
export { calibrateSession, type ReportedGrowth, type SessionCalibration } from './session.js'
export type { TokensBySource } from './sources.js'
