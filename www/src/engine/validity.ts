import { initValidity } from 'trimtab/slim'
import validity from 'trimtab/validity.wasm?url'
import { compiled } from './load.js'

let started: Promise<void> | null = null

/** Starts the engine that knows what providers refuse. Not needed before the first request over the network. */
export function startValidity(): Promise<void> {
  started ??= compiled(validity)
    .then(initValidity)
    .catch((error: unknown) => {
      started = null
      throw error
    })
  return started
}
