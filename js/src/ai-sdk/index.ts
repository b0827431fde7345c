export type { AdapterOptions, AdapterWarning, RequestEvent } from '../adapters/conversations.js'
export type { RecallArguments, ToolSchema } from '../adapters/tool-schema.js'
export type { CallParams, ModelMiddleware } from './middleware.js'
export { type AiSdkTools, type AiSdkTrimtab, type Step, trimtab } from './trimtab.js'
