export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { RecallArguments } from '../adapters/tool-schema.js'
export type * from './trimtab.js'
export { trimtab } from './trimtab.js'
