import { core } from './core.js'
import { coreBytes } from './core-bytes.js'
import { fromByteText } from './module.js'

/**
 * Gives back what needs the engine, which from then on can start by itself: from the bytes that are inlined here, decoded and compiled
 * when they are first needed. The entries of the package hand out their exports this way (`scripts/lib/entries.mjs`); what an
 * application does not import is left out of its bundle, bytes included.
 */
export function withCore<T>(needed: T): T {
  core.provide(() => fromByteText(coreBytes))
  return needed
}
