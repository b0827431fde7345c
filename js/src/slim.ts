import { core } from './engine.js'
import { resolveSource, type WasmSource } from './wasm-source.js'

export * from './api.js'

/** What the engine can be started from. */
export type EngineSource = WasmSource

/**
 * Starts the engine from `trimtab/core.wasm`, which the host loads its own way: as bytes, as a compiled module, as a
 * response, or from a URL (fetched; the only network call of this package, and only for the URL given here).
 * Until it has resolved, every other function throws `not_initialised`. A second call changes nothing.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function init(source: EngineSource): Promise<void> {
  if (!core.isStarted) core.start(await resolveSource(source))
}
