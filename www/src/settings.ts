import { type AgePolicy, cacheAware, type Policy } from 'trimtab'

/** What the policy panel holds: every knob has a value, also while its pass is off. */
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

/** The engine's own defaults, so that an untouched panel writes what `rollingContext()` means. */
const AGE_DEFAULTS = {
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
} as const

/** Far below the engine's 100,000: most sessions that are looked at here are smaller than that. */
const CLEAR_AT_TOKENS = 30_000

/** The preset that a new user should take. */
export const INITIAL_SETTINGS: Settings = {
  ...AGE_DEFAULTS,
  ...NO_PASSES,
  ephemeral: true,
  done: true,
  clearAtTokens: CLEAR_AT_TOKENS,
  excludeTools: [],
}

/** A preset says which passes run; the knobs go back to the engine's defaults. */
export function withPreset(settings: Settings, id: PresetId): Settings {
  const preset = PRESETS.find((candidate) => candidate.id === id)
  return { ...settings, ...AGE_DEFAULTS, clearAtTokens: CLEAR_AT_TOKENS, excludeTools: [], ...preset?.passes }
}

/** `done` decides of all results by itself: only ephemeral cleanup can be on beside it. */
export function withChange(settings: Settings, change: Partial<Settings>): Settings {
  const next = { ...settings, ...change }
  if (change.done === true) return { ...next, ...NO_PASSES, ephemeral: next.ephemeral, done: true }
  const beside = PASSES.filter((pass) => pass !== 'done' && pass !== 'ephemeral')
  return { ...next, done: next.done && !beside.some((pass) => change[pass] === true) }
}

/** The preset these settings are, or `custom`. */
export function presetOf(settings: Settings): PresetId | 'custom' {
  const touched =
    settings.rolling &&
    (settings.excludeTools.length > 0 ||
      Object.entries(AGE_DEFAULTS).some(([key, value]) => settings[key as keyof Settings] !== value))
  const retuned = settings.clear && settings.clearAtTokens !== CLEAR_AT_TOKENS
  const match = PRESETS.find(({ passes }) => PASSES.every((pass) => passes[pass] === settings[pass]))
  return touched || retuned || match === undefined ? 'custom' : match.id
}

/** The policy as a program would write it: what is off is left out. */
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

/** Every preset as a policy, by its label. */
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

/** A whole number from a text field, kept inside its limits; what was there before when it is no number. */
export function wholeNumber(text: string, limits: { min: number; max: number }, before: number): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) {
    return before
  }
  return Math.min(limits.max, Math.max(limits.min, Math.round(value)))
}
