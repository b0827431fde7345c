/** The public API that runs on the engine alone, without its bytes. */
export { type CacheAwareSettings, type CachePrices, type Character, cacheAware } from './cache-aware.js'
export { type CleanupOptions, cleanupEphemeralMessages, dedupeToolResults } from './cleanup.js'
export { type ClearToolUsesOptions, clearToolUses } from './clear.js'
export { compose, type MessagePass } from './compose.js'
export { Context, type ContextOptions, type SavedContext } from './context.js'
export {
  type ClearThinkingEdit,
  type ClearToolUsesEdit,
  type CompactEdit,
  type ContextManagement,
  type ContextManagementOptions,
  toContextManagement,
} from './context-management.js'
export type { ContextCalibration, MessageCounter } from './context-tokens.js'
export { contextWarning } from './context-warning.js'
export type {
  AddOptions,
  EditFileOptions,
  EditResult,
  FileContent,
  UpdateSectionOptions,
} from './editing.js'
export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from './error.js'
export type { CountTokens, ReadBytes, ReadContent } from './file-sources.js'
export { inspect } from './inspect.js'
export { summarizeToolOutput } from './key-info.js'
export {
  type ContextManagementSettings,
  type LoadedPolicy,
  loadPolicy,
  rollingContextPolicy,
} from './load-policy.js'
export {
  dedupeFileReads,
  type HideToolArgsOptions,
  hideToolArgs,
  keepRecentToolResults,
  type SmartToolRetentionOptions,
  smartToolRetention,
  truncateToolResults,
} from './passes.js'
export {
  clearOldToolUses,
  off,
  rollingContext,
  type SmartRetentionSettings,
  smartRetention,
} from './policies.js'
export { project } from './project.js'
export type { FileToRead, FormatReadOptions, FormatReadsOptions } from './reading.js'
export {
  type Recalled,
  type RecallRange,
  recall,
  recallTool,
  type ToolDefinition,
  type ToolParameters,
} from './recall.js'
export { createResultTracker, type ResultTracker } from './result-tracker.js'
export {
  createTruncatedPlaceholder,
  type FileReference,
  getActiveFiles,
  type RollingContextConfig,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
  truncateOldToolOutputs,
} from './rolling-context.js'
export {
  type CommandOutcome,
  createRollingContextCommand,
  type RollingContextCommand,
  type RollingContextPreference,
} from './rolling-context-command.js'
export { loadSession } from './sessions/load.js'
export { migrateSession } from './sessions/migrate.js'
export { saveSession } from './sessions/save.js'
export type { LoadedSession, SavedSession, SaveResult } from './sessions/types.js'
export { type FileStoreOptions, fileStore, type SessionFileSystem } from './stores/file.js'
export { type IndexedDbStoreOptions, indexedDbStore } from './stores/indexed-db.js'
export { memoryStore } from './stores/memory.js'
export type { ReplaceOptions, SessionStore, Stored, StoredSession, StoreRepair } from './stores/store.js'
export { type KeyValueStorage, type UnstorageStoreOptions, unstorageStore } from './stores/unstorage.js'
export {
  CLEARED_PLACEHOLDER,
  EDIT_GUIDANCE,
  EPHEMERAL_DESCRIPTION,
  EPHEMERAL_GUIDANCE,
  EPHEMERAL_WARNING,
  INTENT_DESCRIPTION,
  PROCESSED_PLACEHOLDER,
  PROTECTED_TOOLS,
  TOOL_SELECTION_GUIDE,
  WORKSPACE_GUIDANCE,
} from './texts.js'
export type { AnyToolCall } from './tool-call.js'
export {
  type ProcessToolResultOptions,
  processToolResult,
  type ToolMessage,
  type ToolMessages,
  type ToolResultFormat,
  type ToolResultObject,
} from './tool-result.js'
export type { TruncateOptions } from './truncate.js'
export type * from './types.js'
export type { FileSystem } from './workspace/file-system.js'
export type { FileInfo } from './workspace/files.js'
export { Reads, type SavedReads } from './workspace/reads.js'
export {
  createWorkspace,
  type ReadFile,
  type Workspace,
  type WorkspaceOptions,
  type WriteOptions,
  type WrittenFile,
} from './workspace/workspace.js'
