import { type AgePolicy, cacheAware, type Policy, rollingContext } from 'trimtab'

/** Settings of the policy panel: each has a value even while its pass is off. */
export interface Settings {
  readonly ephemeral: boolean
  readonly dedupe: boolean
  readonly done: boolean
  readonly rolling: boolean
  readonly clear: boolean
  readonly clearAtTokens: number
  readonly reads: boolean
  readonly lists: boolean
  readonly summarize: boolean
  readonly clip: boolean
  readonly edits: boolean
  readonly maxToolOutputAge: number
  readonly maxToolOutputTokens: number
  readonly preserveRecentFiles: boolean
  readonly summarizeOnTruncate: boolean
  readonly excludeTools: readonly string[]
}

export type PresetId =
  | 'off'
  | 'ephemeral'
  | 'dedupe'
  | 'cache-aware'
  | 'smart'
  | 'clear'
  | 'rolling'
  | 'rolling-dedupe'

const NO_PASSES = {
  ephemeral: false,
  dedupe: false,
  done: false,
  rolling: false,
  clear: false,
  reads: false,
  lists: false,
  summarize: false,
  clip: false,
  edits: false,
} as const
type PresetPasses = Pick<Settings, keyof typeof NO_PASSES>
const PASSES = Object.keys(NO_PASSES) as (keyof PresetPasses)[]

const preset = (id: PresetId, label: string, on: Partial<PresetPasses>) => ({
  id,
  label,
  passes: { ...NO_PASSES, ...on } satisfies PresetPasses,
})

export const PRESETS: readonly { id: PresetId; label: string; passes: PresetPasses }[] = [
  preset('off', 'Off', {}),
  preset('ephemeral', 'Ephemeral cleanup', { ephemeral: true }),
  preset('dedupe', 'Dedupe', { dedupe: true }),
  preset('cache-aware', 'Cache-aware', { ephemeral: true, done: true }),
  preset('smart', 'Smart retention', {
    ephemeral: true,
    reads: true,
    lists: true,
    summarize: true,
    clip: true,
    edits: true,
  }),
  preset('clear', 'Clear old tool uses', { ephemeral: true, clear: true }),
  preset('rolling', 'Rolling context', { rolling: true }),
  preset('rolling-dedupe', 'Rolling context + dedupe', { rolling: true, dedupe: true }),
]

/** The engine's defaults, so that untouched settings produce the policy of `rollingContext()`. */
const AGE_DEFAULTS = rollingContext().age as Required<Omit<AgePolicy, 'excludeTools'>>

/** Far below the engine's default of 100,000: most sessions opened here are smaller than that. */
const CLEAR_AT_TOKENS = 30_000

/** The preset recommended to new users. */
export const INITIAL_SETTINGS: Settings = {
  ...AGE_DEFAULTS,
  ...NO_PASSES,
  ephemeral: true,
  done: true,
  clearAtTokens: CLEAR_AT_TOKENS,
  excludeTools: [],
}

/** Applies a preset: sets which passes run and resets all other settings to their defaults. */
export function withPreset(settings: Settings, id: PresetId): Settings {
  const preset = PRESETS.find((candidate) => candidate.id === id)
  return { ...settings, ...AGE_DEFAULTS, clearAtTokens: CLEAR_AT_TOKENS, excludeTools: [], ...preset?.passes }
}

/**
 * Applies a change. `done` handles all results alone: of the other passes only ephemeral cleanup can be on
 * with it.
 */
export function withChange(settings: Settings, change: Partial<Settings>): Settings {
  const next = { ...settings, ...change }
  if (change.done === true) return { ...next, ...NO_PASSES, ephemeral: next.ephemeral, done: true }
  const beside = PASSES.filter((pass) => pass !== 'done' && pass !== 'ephemeral')
  return { ...next, done: next.done && !beside.some((pass) => change[pass] === true) }
}

/** Returns the preset that equals these settings, or `custom`. */
export function presetOf(settings: Settings): PresetId | 'custom' {
  const touched =
    settings.rolling &&
    (settings.excludeTools.length > 0 ||
      Object.entries(AGE_DEFAULTS).some(([key, value]) => settings[key as keyof Settings] !== value))
  const retuned = settings.clear && settings.clearAtTokens !== CLEAR_AT_TOKENS
  const match = PRESETS.find(({ passes }) => PASSES.every((pass) => passes[pass] === settings[pass]))
  return touched || retuned || match === undefined ? 'custom' : match.id
}

/** Converts the settings to a policy; passes that are off are omitted. */
export function toPolicy(settings: Settings): Policy {
  if (settings.done) return { ...cacheAware(), ephemeral: settings.ephemeral }
  const policy: Policy = {}
  if (settings.ephemeral) {
    policy.ephemeral = true
  }
  if (settings.clear) {
    policy.clear = { trigger: { type: 'input_tokens', value: settings.clearAtTokens } }
  }
  if (settings.rolling) {
    policy.age = toAgePolicy(settings)
  }
  if (settings.reads) {
    policy.reads = { maxFileReads: 5, superseded: 'clear' }
  }
  if (settings.lists) {
    policy.lists = true
  }
  if (settings.summarize) {
    policy.summarize = true
  }
  if (settings.clip) {
    policy.clip = { max: 10_000, head: 2000, tail: 2000 }
  }
  if (settings.edits) {
    policy.edits = { after: 10 }
    policy.inputs = { what: 'old' }
  }
  if (settings.dedupe) {
    policy.dedupe = true
  }
  return policy
}

/** Returns the policy of every preset, by its label. */
export function presetPolicies(): Record<string, Policy> {
  return Object.fromEntries(
    PRESETS.map(({ id, label }) => [label, toPolicy(withPreset(INITIAL_SETTINGS, id))]),
  )
}

function toAgePolicy(settings: Settings): AgePolicy {
  const { maxToolOutputAge, maxToolOutputTokens, preserveRecentFiles, summarizeOnTruncate } = settings
  const age: AgePolicy = { maxToolOutputAge, maxToolOutputTokens, preserveRecentFiles, summarizeOnTruncate }
  if (settings.excludeTools.length > 0) {
    age.excludeTools = [...settings.excludeTools]
  }
  return age
}

/** Parses a whole number and clamps it to its limits; returns `before` if the text is not a number. */
export function wholeNumber(text: string, limits: { min: number; max: number }, before: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    return before
  }
  return Math.min(limits.max, Math.max(limits.min, Math.round(value)))
}
