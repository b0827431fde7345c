export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { RecallArguments } from '../adapters/tool-schema.js'
export {
  type AgentMiddlewareConfig,
  type AgentRequest,
  type LangChainRecall,
  type LangChainTrimtab,
  trimtab,
} from './trimtab.js'
