export { contextWarning } from '../policy/context-warning.js'
export {
  type Compaction,
  type CompactOptions,
  compact,
  type Summarize,
  shouldCompact,
} from './compact.js'
export type { DroppedMessages } from './cut.js'
export {
  type ContextCheck,
  type ContextMonitor,
  type ContextMonitorOptions,
  createContextMonitor,
} from './monitor.js'
export { COMPACTION_PROMPT, compactionPrompt, SUMMARY_SECTIONS } from './prompt.js'
export { isSummary } from './summary-message.js'
