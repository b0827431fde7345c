export type { ArrivalOptions } from '../adapters/arrivals.js'
export type * from './trimtab.js'
export { trimtab } from './trimtab.js'
