export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { Zod, ZodArguments } from '../adapters/zod-arguments.js'
export type { OpencodeMessage, OpencodeOutput } from './messages.js'
export { type OpencodeHooks, type OpencodeOptions, type OpencodeTool, trimtab } from './trimtab.js'
