export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export { toResponsesItems } from './items.js'
export {
  type AgentModel,
  type AgentModelProvider,
  type AgentRecall,
  type AgentsTrimtab,
  trimtab,
} from './trimtab.js'
