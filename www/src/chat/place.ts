import { signal } from '@preact/signals'

/** A message that the thread is to show; each wish is an object of its own, so that it can be had twice. */
export const place = signal<{ readonly message: number } | null>(null)
