import type { MissCauseName } from './types.js'

/**
 * The cause reported by Anthropic in `diagnostics.cache_miss_reason`: `BetaDiagnostics` of
 * `@anthropic-ai/sdk` 1.12.0.
 */
export interface Told {
  type: string
  cause: MissCauseName
}

/** Other types mean that the provider does not know the cause. */
const CAUSES: Readonly<Record<string, MissCauseName>> = {
  model_changed: 'model-changed',
  system_changed: 'system-changed',
  tools_changed: 'tools-changed',
  messages_changed: 'message-changed',
}

/** The cause reported by the provider; `undefined` if it does not know. */
export function toldBy(type: string | null | undefined): Told | undefined {
  if (type === undefined || type === null || !Object.hasOwn(CAUSES, type)) return undefined
  return { type, cause: CAUSES[type] as MissCauseName }
}
