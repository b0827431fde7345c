export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { PiContent } from './messages.js'
export { type PiApi, type PiContext, type PiRecall, trimtab } from './trimtab.js'
