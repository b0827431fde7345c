import { signal } from '@preact/signals'

const NAME = 'trimtab.composed'

/** The text of the composer, not yet sent. */
export const composed = signal(read())

/** Keeps the text of the composer over a reload of the tab. */
export function keepComposed(): void {
  addEventListener('pagehide', store)
  // A browser may end a hidden tab without an event.
  document.addEventListener('visibilitychange', store)
}

function store(): void {
  try {
    if (composed.peek() === '') sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, composed.peek())
  } catch {
    // Storage is denied, or the text is longer than it takes: the text is in this page alone.
  }
}

function read(): string {
  try {
    return sessionStorage.getItem(NAME) ?? ''
  } catch {
    return ''
  }
}
