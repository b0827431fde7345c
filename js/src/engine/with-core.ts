import { core } from './core.js'
import { coreBytes } from './core-bytes.js'
import { fromByteText } from './module.js'

/**
 * Returns `needed`, and lets the engine start by itself from the inlined bytes, which are decoded and
 * compiled at first use. The package's entries wrap their exports in this call (`scripts/lib/entries.mjs`),
 * so exports that an application does not import are left out of its bundle, including the bytes.
 */
export function withCore<T>(needed: T): T {
  core.provide(() => fromByteText(coreBytes))
  return needed
}
