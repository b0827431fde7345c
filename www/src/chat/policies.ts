import { cacheAware, clearOldToolUses, off, type Policy, rollingContext, smartRetention } from 'trimtab'

interface NamedPolicy {
  readonly name: string
  /** One-line description. */
  readonly hint: string
  /** @param window The model's context window in tokens. */
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

/** Returns a policy for `simulate`. Comparisons of recorded sessions ignore what a model requires of its reasoning. */
export const asSimulated = (policy: Policy): Policy => ({ binding: 'free', ...policy })

/**
 * Returns a policy for the scripted model. Its chats are short and cost nothing, so no batch waits until it saves
 * enough.
 */
export function asScripted(policy: Policy): Policy {
  const { retire } = policy
  return typeof retire === 'object' && retire !== null
    ? { ...policy, retire: { ...retire, mostLoss: 100 } }
    : policy
}

/** Returns the policy with this id for a chat. */
export function policyFor(
  id: PolicyId,
  { window, isScripted }: { window: number; isScripted: boolean },
): Policy {
  const policy = POLICIES[id].policy(window)
  return isScripted ? asScripted(policy) : policy
}

/** The user's decisions about single calls, by call id. */
export interface Steered {
  /** Calls that are in every request. */
  readonly pinned: readonly string[]
  /** Calls that are in no request. */
  readonly excluded: readonly string[]
}

export const UNSTEERED: Steered = { pinned: [], excluded: [] }

/** Returns the user's decisions in a policy. */
export const steeredOf = ({ protect, exclude }: Policy): Steered => ({
  pinned: protect?.pinned ?? [],
  excluded: exclude ?? [],
})

/** Returns the policy with its decisions about single calls replaced by these. */
export function steered({ protect, exclude: _, ...policy }: Policy, { pinned, excluded }: Steered): Policy {
  const { pinned: __, ...rest } = protect ?? {}
  const kept = pinned.length === 0 ? rest : { ...rest, pinned: [...pinned] }
  return {
    ...policy,
    ...(Object.keys(kept).length === 0 ? {} : { protect: kept }),
    ...(excluded.length === 0 ? {} : { exclude: [...excluded] }),
  }
}

/**
 * Returns the id of a chat's policy, apart from the user's decisions about single calls.
 *
 * @param policyOf Returns the policy with an id for that chat.
 */
export function policyIdOf(given: Policy, policyOf: (id: PolicyId) => Policy): PolicyId | undefined {
  const plain = JSON.stringify(steered(given, UNSTEERED))
  return POLICY_IDS.find((id) => JSON.stringify(policyOf(id)) === plain)
}
