import type { Variants } from '../agent/variants.js'
import { openSession } from '../sessions.js'
import { activity } from '../state.js'
import { Icon } from './icons.js'

/** Switches between branches. */
export function VariantsRow({ variants: { message, chats, shown } }: { variants: Variants }) {
  const step = (by: number, label: string) => {
    const chat = chats[shown + by]
    return (
      <button
        type="button"
        class="plain-button"
        aria-label={label}
        title={label}
        disabled={chat === undefined || activity.value !== null}
        onClick={() => chat !== undefined && void openSession(chat, { message })}
      >
        <Icon name={by < 0 ? 'before' : 'after'} size={16} />
      </button>
    )
  }
  return (
    <nav class="row variants" aria-label="Branches">
      {step(-1, 'Previous branch')}
      <span>
        Branch {shown + 1} of {chats.length}
      </span>
      {step(1, 'Next branch')}
    </nav>
  )
}
