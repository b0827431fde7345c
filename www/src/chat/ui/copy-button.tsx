import { useSignal } from '@preact/signals'
import { Icon } from './icons.js'

/** Duration of the "Copied" message, in milliseconds. */
export const SAID = 1500

/** Copies a text to the clipboard; returns `false` if the browser refuses. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text unchanged, and confirms it. */
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
