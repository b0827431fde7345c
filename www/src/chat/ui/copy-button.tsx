import { useSignal } from '@preact/signals'
import { Icon } from './icons.js'

/** How long it says that something was copied, in milliseconds. */
export const SAID = 1500

/** Puts a text on the clipboard; where the browser refuses that, nothing is said to be copied. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text as it was written, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const isCopied = useSignal(false)
  const copy = async () => {
    isCopied.value = await copied(text)
    setTimeout(() => (isCopied.value = false), SAID)
  }
  return (
    <>
      <button
        type="button"
        class="plain-button row-action copy"
        aria-label={label}
        title={label}
        onClick={() => void copy()}
      >
        <Icon name={isCopied.value ? 'check' : 'copy'} size={16} />
      </button>
      <span class="visually-hidden" role="status">
        {isCopied.value ? 'Copied' : ''}
      </span>
    </>
  )
}
