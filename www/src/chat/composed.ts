import { signal } from '@preact/signals'

/** What the user writes, and has not sent. */
export const composed = signal('')
