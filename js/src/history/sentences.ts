import { enter, sentences as made } from '../engine/core.js'
import type { Sentences } from '../generated/types.js'

/** The sentences of reports, by name. */
export const sentences = (): Sentences => enter(() => made() as Sentences)
