import type { Policy } from '../generated/types.js'
import { type CachePrices, cacheAware } from '../policy/cache-aware.js'
import { clearOldToolUses, off, rollingContext, smartRetention } from '../policy/presets.js'

/** Makes a preset, for the prices if they are stated and it depends on them. */
type Preset = (prices?: CachePrices) => Policy

/** Presets by their names on the command line. */
export const PRESETS = new Map<string, Preset>([
  ['off', off],
  ['ephemeral', () => ({ ephemeral: true })],
  ['dedupe', () => ({ dedupe: true })],
  ['smart-retention', () => smartRetention()],
  ['clear-old-tool-uses', () => clearOldToolUses()],
  ['cache-aware', (prices) => cacheAware({ prices })],
  ['rolling-context', () => rollingContext()],
  ['rolling-context+dedupe', () => ({ ...rollingContext(), dedupe: true })],
])

export const presetNames: readonly string[] = [...PRESETS.keys()]

/** Default policy of the commands; the same as that of `Context` and of the browser chat. */
export const DEFAULT_POLICY = 'cache-aware'
