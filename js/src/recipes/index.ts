export {
  CLEARED_PLACEHOLDER,
  EPHEMERAL_WARNING,
  PROCESSED_PLACEHOLDER,
  PROTECTED_TOOLS,
} from '../base/seed-texts.js'
export type { KeyInfo, Outcome } from '../generated/types.js'
export { type ContextManagementSettings, rollingContextPolicy } from '../policy/load-policy.js'
export { type CleanupOptions, cleanupEphemeralMessages, dedupeToolResults } from './cleanup.js'
export { type ClearToolUsesOptions, clearToolUses } from './clear.js'
export { compose, type MessagePass } from './compose.js'
export { extractKeyInfo, summarizeToolOutput } from './key-info.js'
export type * from './passes.js'
export {
  dedupeFileReads,
  hideToolArgs,
  keepRecentToolResults,
  smartToolRetention,
  truncateToolResults,
} from './passes.js'
export { createResultTracker, type ResultTracker } from './result-tracker.js'
export type * from './rolling-context.js'
export {
  createTruncatedPlaceholder,
  getActiveFiles,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
  truncateOldToolOutputs,
} from './rolling-context.js'
export type * from './rolling-context-command.js'
export { createRollingContextCommand } from './rolling-context-command.js'
export type { AnyToolCall } from './tool-call.js'
export type * from './tool-result.js'
export { processToolResult } from './tool-result.js'
export { type TruncateOptions, truncateOutput } from './truncate.js'
