import { DEFAULT_LIMITS } from '../generated/protocol.js'
import type { BudgetPolicy, ClearPolicy, Policy, RetirePolicy, WarnPolicy } from '../generated/types.js'

/**
 * How the engine's estimates (UTF-8 bytes / 3.5) and real tokens compare. The engine plans with its estimates; limits that
 * are meant in real tokens are given to it as what it will estimate when they are reached.
 */
export interface TokenScale {
  /** Real tokens to one that the engine estimates, over the whole context. */
  perToken: number
  /** The same for results alone: what clearing saves. */
  perResultToken: number
  /** Real tokens of a request beside its messages: tools, a system prompt. */
  beside: number
}

/** Estimates taken for real. */
export const UNSCALED: TokenScale = { perToken: 1, perResultToken: 1, beside: 0 }

/** Scales that differ by less lead to the same view nearly always, and a new one could rewrite the prompt cache. */
const TOLERANCE = 0.05

/** Whether limits that were scaled by one may stay as they are under the other, in a window of so many tokens. */
export function isNear(one: TokenScale, other: TokenScale, window: number): boolean {
  const isRatioNear = (a: number, b: number): boolean => Math.abs(a / b - 1) <= TOLERANCE
  return (
    isRatioNear(one.perToken, other.perToken) &&
    isRatioNear(one.perResultToken, other.perResultToken) &&
    Math.abs(one.beside - other.beside) <= TOLERANCE * window
  )
}

/**
 * A policy whose limits the engine's estimates reach when the real tokens reach those of `policy`. Scaled are sizes of the
 * context and of what a batch saves; not what a single result may keep, which is in stubs' texts, and these must not change.
 */
export function scaledPolicy(policy: Policy, scale: TokenScale): Policy {
  if (scale === UNSCALED) return policy
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

/** The tokens of a `clearAtLeast`, in either of its forms. */
export function tokensOf(amount: NonNullable<Policy['clearAtLeast']>): number {
  return typeof amount === 'number' ? amount : amount.value
}

interface Limits {
  context(tokens: number): number
  saving(tokens: number): number
  fraction(part: number): number
}

/** Whether a field of a policy turns something on. */
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

/** A whole number that the engine can hold. */
function atLeast(least: number, tokens: number): number {
  return Math.min(0xffffffff, Math.max(least, Math.floor(tokens)))
}
