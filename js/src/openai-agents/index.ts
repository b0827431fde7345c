export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export { toResponsesItems } from './items.js'
export type * from './trimtab.js'
export { trimtab } from './trimtab.js'
