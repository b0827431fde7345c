export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type * from './trimtab.js'
export { trimtab } from './trimtab.js'
