export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export {
  type ChatConfig,
  type ChatContext,
  type TanStackRecall,
  type TanStackTrimtab,
  type TrimtabMiddleware,
  trimtab,
} from './trimtab.js'
