import { DEFAULT_LIMITS } from '../generated/protocol.js'
import type { BudgetPolicy, ClearPolicy, Policy, RetirePolicy, WarnPolicy } from '../generated/types.js'
import { PreparedPolicy } from './prepared-policy.js'

/**
 * Ratio of real tokens to the engine's estimates (UTF-8 bytes / 3.5). The engine plans with its estimates, so
 * limits in real tokens are converted to the estimate at which they are reached.
 */
export interface TokenScale {
  /** Real tokens per estimated token, over the whole context. */
  perToken: number
  /** Real tokens per estimated token of results only: what clearing saves. */
  perResultToken: number
  /** Real tokens of a request outside its messages: tools, system prompt. */
  beside: number
}

/** Takes estimates as real tokens. */
export const UNSCALED: TokenScale = { perToken: 1, perResultToken: 1, beside: 0 }

/**
 * Relative tolerance. A smaller difference nearly always leads to the same view, and a new scale could
 * rewrite the prompt cache.
 */
const TOLERANCE = 0.05

/**
 * Whether limits converted with one scale can be kept under the other.
 *
 * @param window The context window in tokens.
 */
export function isNear(one: TokenScale, other: TokenScale, window: number): boolean {
  const isRatioNear = (a: number, b: number): boolean => Math.abs(a / b - 1) <= TOLERANCE
  return (
    isRatioNear(one.perToken, other.perToken) &&
    isRatioNear(one.perResultToken, other.perResultToken) &&
    Math.abs(one.beside - other.beside) <= TOLERANCE * window
  )
}

/** Whether two scales are equal. */
export const isSame = (one: TokenScale, other: TokenScale): boolean =>
  one.perToken === other.perToken &&
  one.perResultToken === other.perResultToken &&
  one.beside === other.beside

/**
 * Returns the same policy with its limits converted from real tokens. It keeps its serial, so stubs and
 * edited messages made before are reused.
 */
export function scaled(prepared: PreparedPolicy, scale: TokenScale): PreparedPolicy {
  if (scale === UNSCALED) return prepared
  const policy = JSON.parse(prepared.json) as Policy
  const beside = scale.beside / (policy.window ?? DEFAULT_LIMITS.window)
  return new PreparedPolicy(JSON.stringify(scaledPolicy(policy, scale)), prepared.serial, beside)
}

/**
 * Converts the limits of a policy from real tokens to the engine's estimates. Converts sizes of the context
 * and the savings of a batch, but not what a single result may keep: that is part of the stubs' texts, which
 * must not change.
 */
function scaledPolicy(policy: Policy, scale: TokenScale): Policy {
  const window = policy.window ?? DEFAULT_LIMITS.window
  const limits: Limits = {
    context: (tokens) => atLeast(0, (tokens - scale.beside) / scale.perToken),
    saving: (tokens) => atLeast(0, tokens / scale.perResultToken),
    fraction: (part) => Math.min(1, Math.max(0, part - scale.beside / window)),
  }
  const { clear, retire, budget, warn, clearAtLeast } = policy
  return {
    ...policy,
    ...(isOn(clear) ? { clear: scaledClear(clear === true ? {} : clear, limits) } : {}),
    ...(isOn(retire) ? { retire: scaledRetire(retire === true ? {} : retire, limits) } : {}),
    ...(isOn(budget) ? { budget: scaledBudget(budget === true ? {} : budget, limits) } : {}),
    ...(isOn(warn) ? { warn: scaledWarn(warn === true ? {} : warn, limits) } : {}),
    ...(clearAtLeast === undefined ? {} : { clearAtLeast: limits.saving(tokensOf(clearAtLeast)) }),
    window: atLeast(1, window / scale.perToken),
  }
}

/** Returns the tokens of a `clearAtLeast`, in either of its forms. */
export function tokensOf(amount: NonNullable<Policy['clearAtLeast']>): number {
  return typeof amount === 'number' ? amount : amount.value
}

interface Limits {
  context(tokens: number): number
  saving(tokens: number): number
  fraction(part: number): number
}

/** Whether a field of a policy enables a feature. */
export function isOn<T>(setting: T | boolean | null | undefined): setting is T | true {
  return setting !== undefined && setting !== null && setting !== false
}

function scaledClear(clear: ClearPolicy, { context, saving, fraction }: Limits): ClearPolicy {
  const { trigger = { type: 'input_tokens', value: DEFAULT_LIMITS.trigger }, downTo, clearAtLeast } = clear
  const scaled = { input_tokens: context, window_fraction: fraction, tool_uses: (uses: number) => uses }
  return {
    ...clear,
    trigger: { ...trigger, value: scaled[trigger.type](trigger.value) },
    ...(downTo === undefined ? {} : { downTo: context(downTo) }),
    ...(clearAtLeast === undefined ? {} : { clearAtLeast: saving(tokensOf(clearAtLeast)) }),
  }
}

function scaledRetire(retire: RetirePolicy, { saving }: Limits): RetirePolicy {
  return { ...retire, atLeast: saving(retire.atLeast ?? DEFAULT_LIMITS.atLeast) }
}

function scaledBudget(budget: BudgetPolicy, { context }: Limits): BudgetPolicy {
  const { maxTokens = DEFAULT_LIMITS.maxTokens, downTo } = budget
  return {
    ...budget,
    maxTokens: context(maxTokens),
    ...(downTo === undefined ? {} : { downTo: context(downTo) }),
  }
}

function scaledWarn({ at = DEFAULT_LIMITS.warnAt, ...warn }: WarnPolicy, { fraction }: Limits): WarnPolicy {
  return { ...warn, at: fraction(at) }
}

/** Rounds down and clamps to the whole numbers that the engine can hold. */
function atLeast(least: number, tokens: number): number {
  return Math.min(0xffffffff, Math.max(least, Math.floor(tokens)))
}
