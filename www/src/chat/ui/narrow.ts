import { signal } from '@preact/signals'

/** Matches where the list of chats and the context panel are sheets over the thread, as in styles/widths.css. */
const narrow = matchMedia('(width < 1120px)')

export const isNarrow = signal(narrow.matches)

narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})
