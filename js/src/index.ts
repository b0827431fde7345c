export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from './base/error.js'
export type { ProblemCode } from './generated/protocol.js'
export type {
  AgePolicy,
  BlockFacts,
  BlockKind,
  BlockReport,
  BudgetPolicy,
  ClearKeep,
  ClearMeasure,
  ClearPolicy,
  ClearTrigger,
  ClipLimits,
  ClipPolicy,
  ClipUnit,
  DedupePolicy,
  EditReport,
  EditsPolicy,
  EphemeralMode,
  EphemeralPolicy,
  EphemeralWhen,
  ExcludedCalls,
  FileLines,
  Format,
  InputsPolicy,
  InputsWhat,
  KeepMeasure,
  LineRange,
  ListsPolicy,
  MessageFacts,
  Origin,
  PassName,
  PassReport,
  Policy,
  ProtectPolicy,
  ReadPurpose,
  ReadsPolicy,
  ReasoningMode,
  Repair,
  RetirePolicy,
  Role,
  SummarizePolicy,
  Superseded,
  TokensByKind,
  ValidityProblem,
  ValidityRule,
  WarnPolicy,
} from './generated/types.js'
export { inspect } from './history/inspect.js'
export { type NeutralHistory, readMessages } from './history/read-messages.js'
export {
  type ProviderRecallTools,
  type Recalled,
  type RecallRange,
  recall,
  recallTool,
  type ToolDefinition,
  type ToolParameters,
} from './history/recall.js'
export type * from './history/types.js'
export { repair, validate } from './history/validity.js'
export type * from './policy/cache-aware.js'
export { cacheAware } from './policy/cache-aware.js'
export type * from './policy/context-management.js'
export { toContextManagement } from './policy/context-management.js'
export { type LoadedPolicy, loadPolicy, type ReadingSettings } from './policy/load-policy.js'
export {
  clearOldToolUses,
  off,
  rollingContext,
  type SmartRetentionSettings,
  smartRetention,
} from './policy/presets.js'
export { Context, type ContextOptions, type SavedContext } from './projection/context.js'
export type { ContextCalibration } from './projection/context-tokens.js'
export type * from './projection/message-thread.js'
export { MessageThread } from './projection/message-thread.js'
export { project } from './projection/project.js'
export type { SavedScale } from './projection/saved-scale.js'
export type * from './projection/types.js'
export { type CleanupOptions, cleanupEphemeralMessages, dedupeToolResults } from './recipes/cleanup.js'
export { type RollingContextConfig, truncateOldToolOutputs } from './recipes/rolling-context.js'
export type { MessageCounter } from './tokens/message-counter.js'
