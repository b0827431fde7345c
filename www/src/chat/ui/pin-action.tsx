import type { BlockFacts, EditReport } from 'trimtab'
import { short } from '../../numbers.js'
import { pin, pinned, replay, unpin } from '../state.js'
import { Icon } from './icons.js'

interface Props {
  /** The call, or its result. */
  readonly block: BlockFacts
  readonly edit: EditReport | null
}

/** Keeps a call and its result in every request, or lets them go: what that means stands beside it. */
export function PinAction({ block: { callId: id, ephemeral }, edit }: Props) {
  if (!id || ephemeral || replay.value !== null) return null
  const isPinned = pinned.value.has(id)
  const more = edit === null ? 0 : edit.tokensBefore - edit.tokensAfter
  return (
    <p class="pin-action">
      <button type="button" class="link" onClick={() => (isPinned ? unpin(id) : pin(id))}>
        <Icon name="pin" size={14} />
        {isPinned ? 'Unpin' : edit === null ? 'Pin' : 'Restore and pin'}
      </button>
      <span class="quiet">{wordsOf(isPinned, more)}</span>
    </p>
  )
}

function wordsOf(isPinned: boolean, more: number): string {
  if (isPinned && more > 0) return 'Sent again from the next request on.'
  if (isPinned) return 'Stays in every request. Unpinned it may be trimmed as others are.'
  if (more > 0) return `~${short(more)} tokens more, and the cache is written anew from there.`
  return 'Keeps it in every request.'
}

/** The mark of what is pinned. */
export function PinMark({ id }: { id: string | null }) {
  if (!id || !pinned.value.has(id)) return null
  return (
    <span class="pin-mark" title="Pinned: it is in every request">
      <Icon name="pin" size={14} />
      <span class="visually-hidden">pinned</span>
    </span>
  )
}
