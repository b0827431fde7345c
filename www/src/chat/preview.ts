import { signal } from '@preact/signals'

/** Tokens of each request under a policy that is previewed and not applied. */
export const preview = signal<readonly number[] | null>(null)
