export type { ArrivalOptions } from '../adapters/arrivals.js'
export type { Zod, ZodArguments } from '../adapters/zod-arguments.js'
export {
  type ClaudeAgentOptions,
  type ClaudeAgentTrimtab,
  type ClaudeHook,
  type ClaudeHookInput,
  type ClaudeHookOutput,
  type ClaudeRecall,
  trimtab,
} from './trimtab.js'
