import { POLICY_IDS, type PolicyId } from './policies.js'

/** Fields of the URL's fragment: a link to a position in a stored chat, under a policy. */
interface Address {
  /** The id of a chat; empty for a new chat. */
  readonly chat: string
  /** `null` for the default policy. */
  readonly policy: PolicyId | null
  /** The key of the row at the top of the thread; empty for the end. */
  readonly at: string
}

/** Whether the fragment is an address, and not the name of an element. */
export const isAddress = (): boolean => location.hash === '' || location.hash.includes('=')

export function readAddress(): Address {
  const parts = new URLSearchParams(location.hash.slice(1))
  const policy = POLICY_IDS.find((id) => id === parts.get('policy')) ?? null
  return { chat: parts.get('chat') ?? '', policy, at: parts.get('at') ?? '' }
}

/** Writes fields of the fragment, without a new history entry: the back button changes pages only. */
export function writeAddress(part: Partial<Address>): void {
  const now = { ...readAddress(), ...part }
  const parts = new URLSearchParams(
    Object.entries(now).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const hash = parts.size === 0 ? '' : `#${parts}`
  if (hash !== location.hash) history.replaceState(null, '', `${location.pathname}${hash}`)
}
