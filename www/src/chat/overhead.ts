import { computed, signal } from '@preact/signals'
import { connection } from './models/current.js'

/** Tokens of the system prompt and the tools in the last request over the network. */
export const seenOverhead = signal(0)

/** Tokens that the next request has besides its messages, as far as known. */
export const answeringOverhead = computed(() => (connection.value === null ? 0 : seenOverhead.value))
