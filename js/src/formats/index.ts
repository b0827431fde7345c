export type { Format } from '../generated/types.js'
export { convertMessages } from './convert-messages.js'
export type * from './types.js'
