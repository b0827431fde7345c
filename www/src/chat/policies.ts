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

/**
 * A policy as the scripted model shows it: its chats are short and cost nothing, so no batch waits until enough was saved for it.
 */
export function asScripted(policy: Policy): Policy {
  const { retire } = policy
  return typeof retire === 'object' && retire !== null
    ? { ...policy, retire: { ...retire, mostLoss: 100 } }
    : policy
}

/** What a name of the page's means in a chat. */
export function policyFor(
  id: PolicyId,
  { window, isScripted }: { window: number; isScripted: boolean },
): Policy {
  const policy = POLICIES[id].policy(window)
  return isScripted ? asScripted(policy) : policy
}

/** What the user decided about single calls, by their ids. */
export interface Steered {
  /** They are in every request. */
  readonly pinned: readonly string[]
  /** They are in none. */
  readonly excluded: readonly string[]
}

export const UNSTEERED: Steered = { pinned: [], excluded: [] }

/** What a policy has of the user's decisions. */
export const steeredOf = ({ protect, exclude }: Policy): Steered => ({
  pinned: protect?.pinned ?? [],
  excluded: exclude ?? [],
})

/** The policy with these decisions, and no others. */
export function steered({ protect, exclude: _, ...policy }: Policy, { pinned, excluded }: Steered): Policy {
  const { pinned: __, ...rest } = protect ?? {}
  const kept = pinned.length === 0 ? rest : { ...rest, pinned: [...pinned] }
  return {
    ...policy,
    ...(Object.keys(kept).length === 0 ? {} : { protect: kept }),
    ...(excluded.length === 0 ? {} : { exclude: [...excluded] }),
  }
}
