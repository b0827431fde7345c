// The engine's bytes come with it: `trimtab/calibration` works without another import.
import '../index.js'

export type { ReportedUsage } from '../transcripts/types.js'
export {
  type Calibration,
  type CalibrationReport,
  calibrate,
  calibratedTokens,
  UNCALIBRATED,
} from './calibrate.js'
export { estimateMessages, type TokensBySource } from './estimate.js'
export { TokenMeter } from './meter.js'
export { calibrateSession, type ReportedGrowth, type SessionCalibration } from './session.js'
