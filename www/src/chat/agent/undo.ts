import type { Policy } from 'trimtab'

/** More tokens than any history has: no batch reaches this size. */
const NEVER = 1_000_000_000

/** Returns the policy with its passes suspended: earlier decisions stay, and no new ones are made. */
export function paused(policy: Policy): Policy {
  const { retire, clear, budget: _, ...rest } = policy
  const isOn = (pass: unknown) => pass !== undefined && pass !== null && pass !== false
  const settings = <T extends object>(pass: boolean | null | undefined | T): Partial<T> =>
    typeof pass === 'object' && pass !== null ? pass : {}
  return {
    ...rest,
    clearAtLeast: NEVER,
    ...(isOn(retire) ? { retire: { ...settings(retire), atLeast: NEVER } } : {}),
    ...(isOn(clear) ? { clear: { ...settings(clear), clearAtLeast: NEVER } } : {}),
  }
}
