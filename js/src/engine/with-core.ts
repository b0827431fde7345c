import { core } from './core.js'
import { coreBase64 } from './core-bytes.js'
import { fromBase64 } from './module.js'

/**
 * Gives back what needs the engine, which from then on can start by itself: from the bytes that are inlined here, decoded and compiled
 * when they are first needed. The entries of the package hand out their exports this way (`scripts/lib/entries.mjs`); what an
 * application does not import is left out of its bundle, bytes included.
 */
export function withCore<T>(needed: T): T {
  core.provide(() => fromBase64(coreBase64))
  return needed
}
