import type { AgePolicy, Policy } from 'trimtab'

/** What the policy panel holds: every knob has a value, also while its pass is off. */
export interface Settings {
  readonly ephemeral: boolean
  readonly dedupe: boolean
  readonly rolling: boolean
  readonly maxToolOutputAge: number
  readonly maxToolOutputTokens: number
  readonly preserveRecentFiles: boolean
  readonly summarizeOnTruncate: boolean
  readonly excludeTools: readonly string[]
}

export type PresetId = 'off' | 'ephemeral' | 'dedupe' | 'rolling' | 'rolling-dedupe'

export const PRESETS: readonly { id: PresetId; label: string; passes: PresetPasses }[] = [
  { id: 'off', label: 'Off', passes: { ephemeral: false, dedupe: false, rolling: false } },
  { id: 'ephemeral', label: 'Ephemeral cleanup', passes: { ephemeral: true, dedupe: false, rolling: false } },
  { id: 'dedupe', label: 'Dedupe', passes: { ephemeral: false, dedupe: true, rolling: false } },
  { id: 'rolling', label: 'Rolling context', passes: { ephemeral: false, dedupe: false, rolling: true } },
  {
    id: 'rolling-dedupe',
    label: 'Rolling context + dedupe',
    passes: { ephemeral: false, dedupe: true, rolling: true },
  },
]

type PresetPasses = Pick<Settings, 'ephemeral' | 'dedupe' | 'rolling'>

/** The engine's own defaults, so that an untouched panel writes what `rollingContext()` means. */
const AGE_DEFAULTS = {
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
} as const

export const INITIAL_SETTINGS: Settings = {
  ...AGE_DEFAULTS,
  ephemeral: false,
  dedupe: false,
  rolling: true,
  excludeTools: [],
}

/** A preset says which passes run; the knobs go back to the engine's defaults. */
export function withPreset(settings: Settings, id: PresetId): Settings {
  const preset = PRESETS.find((candidate) => candidate.id === id)
  return { ...settings, ...AGE_DEFAULTS, excludeTools: [], ...preset?.passes }
}

/** The preset these settings are, or `custom`. */
export function presetOf(settings: Settings): PresetId | 'custom' {
  const touched =
    settings.rolling &&
    (settings.excludeTools.length > 0 ||
      Object.entries(AGE_DEFAULTS).some(([key, value]) => settings[key as keyof Settings] !== value))
  const match = PRESETS.find(
    ({ passes }) =>
      passes.ephemeral === settings.ephemeral &&
      passes.dedupe === settings.dedupe &&
      passes.rolling === settings.rolling,
  )
  return touched || match === undefined ? 'custom' : match.id
}

/** The policy as a program would write it: what is off is left out. */
export function toPolicy(settings: Settings): Policy {
  const policy: Policy = {}
  if (settings.ephemeral) {
    policy.ephemeral = true
  }
  if (settings.rolling) {
    policy.age = toAgePolicy(settings)
  }
  if (settings.dedupe) {
    policy.dedupe = true
  }
  return policy
}

function toAgePolicy(settings: Settings): AgePolicy {
  const { maxToolOutputAge, maxToolOutputTokens, preserveRecentFiles, summarizeOnTruncate } = settings
  const age: AgePolicy = { maxToolOutputAge, maxToolOutputTokens, preserveRecentFiles, summarizeOnTruncate }
  if (settings.excludeTools.length > 0) {
    age.excludeTools = [...settings.excludeTools]
  }
  return age
}

/** A whole number from a text field, kept inside its limits; what was there before when it is no number. */
export function wholeNumber(text: string, limits: { min: number; max: number }, before: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    return before
  }
  return Math.min(limits.max, Math.max(limits.min, Math.round(value)))
}
