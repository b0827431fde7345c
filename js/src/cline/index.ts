export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { ClineMessage, ClineOutput } from './messages.js'
export { type ClinePlugin, type ClineRequest, type ClineRun, type ClineSetup, trimtab } from './trimtab.js'
