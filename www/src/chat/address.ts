import { POLICY_IDS, type PolicyId } from './policies.js'

/** What the address says behind `#`: a link to a place in a chat that this browser keeps, under a policy. */
interface Address {
  /** The id of a chat; empty for a new one. */
  readonly chat: string
  /** `null` for the one that is chosen at first. */
  readonly policy: PolicyId | null
  /** The entry that stands at the top of the thread; empty at its end. */
  readonly at: string
}

export function readAddress(): Address {
  const parts = new URLSearchParams(location.hash.slice(1))
  const policy = POLICY_IDS.find((id) => id === parts.get('policy')) ?? null
  return { chat: parts.get('chat') ?? '', policy, at: parts.get('at') ?? '' }
}

/** Writes a part of it; going back is for pages, not for these. */
export function writeAddress(part: Partial<Address>): void {
  const now = { ...readAddress(), ...part }
  const parts = new URLSearchParams(
    Object.entries(now).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const hash = parts.size === 0 ? '' : `#${parts}`
  if (hash !== location.hash) history.replaceState(null, '', `${location.pathname}${hash}`)
}
