export type { ArrivalOptions } from '../adapters/arrivals.js'
export {
  type CopilotHooks,
  type CopilotInvocation,
  type CopilotRecall,
  type CopilotResult,
  type CopilotToolUse,
  type CopilotTrimtab,
  trimtab,
} from './trimtab.js'
