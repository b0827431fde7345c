import { core } from '../engine/core.js'
import { coreBase64 } from '../engine/core-bytes.js'
import { fromBase64 } from '../engine/module.js'

// Decoded and compiled when it is first needed: importing costs nothing.
core.provideBytes(() => fromBase64(coreBase64))

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
