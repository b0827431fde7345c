/** The public API, without the engine's bytes. */
export { type CleanupOptions, cleanupEphemeralMessages, dedupeToolResults } from './cleanup.js'
export { type ClearToolUsesOptions, clearToolUses } from './clear.js'
export { Context, type SavedContext } from './context.js'
export {
  type AddOptions,
  appendToFile,
  type EditFileOptions,
  type EditResult,
  editFile,
  type FileContent,
  prependToFile,
  type UpdateSectionOptions,
  updateSection,
} from './editing.js'
export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from './error.js'
export type { CountTokens, ReadBytes, ReadContent } from './file-sources.js'
export {
  clearOldToolUses,
  off,
  rollingContext,
  type SmartRetentionSettings,
  smartRetention,
} from './policies.js'
export { inspect, project } from './project.js'
export {
  type FileToRead,
  type FormatReadOptions,
  type FormatReadsOptions,
  formatRead,
  formatReads,
  readTokenLimit,
} from './reading.js'
export {
  createTruncatedPlaceholder,
  type FileReference,
  getActiveFiles,
  type RollingContextConfig,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
  truncateOldToolOutputs,
} from './rolling-context.js'
export { estimateTokens } from './tokens.js'
export type * from './types.js'
export { repair, validate } from './validity.js'
