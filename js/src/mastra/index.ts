export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { RecallOutput } from '../adapters/recall-output.js'
export type { RecallArguments, ToolSchema } from '../adapters/tool-schema.js'
export {
  type InputStep,
  type MastraRecall,
  type MastraTrimtab,
  type ModelCall,
  type ModelReply,
  type TrimtabProcessor,
  trimtab,
} from './trimtab.js'
