/** The public API that runs on the engine alone, without its bytes. */

export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from '../base/error.js'
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
} from '../base/seed-texts.js'
export type { CountTokens, ReadBytes, ReadContent } from '../files/content-source.js'
export type {
  AddOptions,
  EditFileOptions,
  EditResult,
  FileContent,
  UpdateSectionOptions,
} from '../files/edit.js'
export type { FileToRead, FormatReadOptions, FormatReadsOptions } from '../files/format-read.js'
export type {
  AgePolicy,
  BlockFacts,
  BlockKind,
  BlockReport,
  BudgetPolicy,
  Candidate,
  ClearKeep,
  ClearMeasure,
  ClearPolicy,
  ClearTrigger,
  ClipLimits,
  ClipPolicy,
  ClippedLine,
  ClipUnit,
  DedupePolicy,
  Difference,
  EditRefusal,
  EditReport,
  EditSummary,
  EditsPolicy,
  EphemeralMode,
  EphemeralPolicy,
  EphemeralWhen,
  FileLines,
  FileRead,
  Format,
  InputsPolicy,
  InputsWhat,
  KeepMeasure,
  KeyInfo,
  LineEnding,
  LineRange,
  ListsPolicy,
  MessageFacts,
  Origin,
  Outcome,
  PassName,
  PassReport,
  Policy,
  ProtectPolicy,
  ReadErrorType,
  ReadFailure,
  ReadLimits,
  ReadOptions,
  ReadPurpose,
  ReadResult,
  ReadSuccess,
  ReadsPolicy,
  ReasoningMode,
  RefusalCode,
  Repair,
  RetirePolicy,
  Role,
  ShownLines,
  SummarizePolicy,
  Superseded,
  TextEncoding,
  TokensByKind,
  ValidityProblem,
  ValidityRule,
  WarnPolicy,
} from '../generated/types.js'
export { inspect } from '../history/inspect.js'
export {
  type Recalled,
  type RecallRange,
  recall,
  recallTool,
  type ToolDefinition,
  type ToolParameters,
} from '../history/recall.js'
export type * from '../history/types.js'
export {
  type CacheAwareSettings,
  type CachePrices,
  type Character,
  cacheAware,
} from '../policy/cache-aware.js'
export {
  type ClearThinkingEdit,
  type ClearToolUsesEdit,
  type CompactEdit,
  type ContextManagement,
  type ContextManagementOptions,
  toContextManagement,
} from '../policy/context-management.js'
export { contextWarning } from '../policy/context-warning.js'
export {
  type ContextManagementSettings,
  type LoadedPolicy,
  loadPolicy,
  rollingContextPolicy,
} from '../policy/load-policy.js'
export {
  clearOldToolUses,
  off,
  rollingContext,
  type SmartRetentionSettings,
  smartRetention,
} from '../policy/presets.js'
export { Context, type ContextOptions, type SavedContext } from '../projection/context.js'
export type { ContextCalibration } from '../projection/context-tokens.js'
export { project } from '../projection/project.js'
export type * from '../projection/types.js'
export { type CleanupOptions, cleanupEphemeralMessages, dedupeToolResults } from '../recipes/cleanup.js'
export { type ClearToolUsesOptions, clearToolUses } from '../recipes/clear.js'
export { compose, type MessagePass } from '../recipes/compose.js'
export { summarizeToolOutput } from '../recipes/key-info.js'
export {
  dedupeFileReads,
  type HideToolArgsOptions,
  hideToolArgs,
  keepRecentToolResults,
  type SmartToolRetentionOptions,
  smartToolRetention,
  truncateToolResults,
} from '../recipes/passes.js'
export { createResultTracker, type ResultTracker } from '../recipes/result-tracker.js'
export {
  createTruncatedPlaceholder,
  type FileReference,
  getActiveFiles,
  type RollingContextConfig,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
  truncateOldToolOutputs,
} from '../recipes/rolling-context.js'
export {
  type CommandOutcome,
  createRollingContextCommand,
  type RollingContextCommand,
  type RollingContextPreference,
} from '../recipes/rolling-context-command.js'
export type { AnyToolCall } from '../recipes/tool-call.js'
export {
  type ProcessToolResultOptions,
  processToolResult,
  type ToolMessage,
  type ToolMessages,
  type ToolResultFormat,
  type ToolResultObject,
} from '../recipes/tool-result.js'
export type { TruncateOptions } from '../recipes/truncate.js'
export { loadSession } from '../sessions/load.js'
export { migrateSession } from '../sessions/migrate.js'
export { saveSession } from '../sessions/save.js'
export { type FileStoreOptions, fileStore } from '../sessions/stores/file.js'
export type { SessionFileSystem } from '../sessions/stores/file-commit.js'
export { type IndexedDbStoreOptions, indexedDbStore } from '../sessions/stores/indexed-db.js'
export { memoryStore } from '../sessions/stores/memory.js'
export type {
  MissingParts,
  ReplaceOptions,
  SessionStore,
  Stored,
  StoredSession,
  StoreRepair,
} from '../sessions/stores/store.js'
export {
  type KeyValueStorage,
  type UnstorageStoreOptions,
  unstorageStore,
} from '../sessions/stores/unstorage.js'
export type { LoadedSession, SavedSession, SaveResult } from '../sessions/types.js'
export type { MessageCounter } from '../tokens/message-counter.js'
export type { FileSystem } from '../workspace/file-system.js'
export type { FileInfo } from '../workspace/files.js'
export { Reads, type SavedReads } from '../workspace/reads.js'
export {
  createWorkspace,
  type ReadFile,
  type Workspace,
  type WorkspaceOptions,
  type WriteOptions,
  type WrittenFile,
} from '../workspace/workspace.js'
