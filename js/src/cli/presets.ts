import type { Policy } from '../generated/types.js'
import { cacheAware } from '../policy/cache-aware.js'
import { clearOldToolUses, off, rollingContext, smartRetention } from '../policy/presets.js'

/** Presets by their names on the command line. */
export const PRESETS = new Map<string, () => Policy>([
  ['off', off],
  ['ephemeral', () => ({ ephemeral: true })],
  ['dedupe', () => ({ dedupe: true })],
  ['smart-retention', () => smartRetention()],
  ['clear-old-tool-uses', () => clearOldToolUses()],
  ['cache-aware', () => cacheAware()],
  ['rolling-context', () => rollingContext()],
  ['rolling-context+dedupe', () => ({ ...rollingContext(), dedupe: true })],
])

export const presetNames: readonly string[] = [...PRESETS.keys()]

/** Default policy of the commands; the same as that of `Context` and of the browser chat. */
export const DEFAULT_POLICY = 'cache-aware'
