import { cacheAware, clearOldToolUses, off, type Policy, rollingContext, smartRetention } from 'trimtab'

interface NamedPolicy {
  readonly name: string
  /** What it does, in a line. */
  readonly hint: string
  /** @param window Tokens of the model's window. */
  policy(window: number): Policy
}

/** The policies that the page offers. */
export const POLICIES = {
  'cache-aware': {
    name: 'Cache-aware',
    hint: 'Clears what is no longer needed, when a batch pays for rewriting the prompt cache.',
    policy: (window) => cacheAware({ window }),
  },
  clear: {
    name: 'Clear old tool uses',
    hint: 'From 10,000 tokens on clears all tool results but the newest 3.',
    policy: () => clearOldToolUses({ trigger: { type: 'input_tokens', value: 10_000 } }),
  },
  smart: {
    name: 'Smart retention',
    hint: 'Thins repeated reads and old output. Each change rewrites the prompt cache.',
    policy: () => smartRetention(),
  },
  rolling: {
    name: 'Rolling context',
    hint: 'Clears results older than 5 steps. It slides, so the prompt cache is rewritten often.',
    policy: () => rollingContext(),
  },
  off: {
    name: 'Send everything',
    hint: 'Nothing is cleared.',
    policy: () => off(),
  },
} as const satisfies Record<string, NamedPolicy>

export type PolicyId = keyof typeof POLICIES

export const POLICY_IDS = Object.keys(POLICIES) as PolicyId[]

/** A policy as `simulate` takes it: what a model demands of its reasoning is part of no comparison of recorded sessions. */
export const asSimulated = (policy: Policy): Policy => ({ binding: 'free', ...policy })

/** The ids of the calls that a policy pins. */
export const pinsOf = (policy: Policy): readonly string[] => policy.protect?.pinned ?? []

/** The policy with these pins, and no others. */
export function withPins({ protect, ...policy }: Policy, pinned: readonly string[]): Policy {
  const { pinned: _, ...rest } = protect ?? {}
  const more = pinned.length === 0 ? rest : { ...rest, pinned: [...pinned] }
  return Object.keys(more).length === 0 ? policy : { ...policy, protect: more }
}
