import { signal } from '@preact/signals'

/** The text of the composer, not yet sent. */
export const composed = signal('')
