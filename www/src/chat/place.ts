import { signal } from '@preact/signals'

/** The message to scroll the thread to. A new object each time, so that the same message can be requested twice. */
export const place = signal<{ readonly message: number } | null>(null)
