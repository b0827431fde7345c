import { core } from './engine/core.js'
import { files } from './engine/files.js'
import { resolveSource, type WasmSource } from './engine/source.js'
import { rules } from './history/validity.js'

export * from './entries/api.js'
export { appendToFile, editFile, prependToFile, updateSection } from './files/edit.js'
export { formatRead, formatReads, readTokenLimit } from './files/format-read.js'
export { repair, validate } from './history/validity.js'
export { extractKeyInfo } from './recipes/key-info.js'
export { truncateOutput } from './recipes/truncate.js'
export { estimateTokens } from './tokens/estimate-tokens.js'

/** What the engine can be started from. */
export type EngineSource = WasmSource

/**
 * Starts the engine from `trimtab/core.wasm`, which the host loads its own way: as bytes, as a compiled module, as a
 * response, or from a URL (fetched; the only network call of this package, and only for the URL given here).
 * Until it has resolved, every function that needs it throws `not_initialised`. A second call changes nothing.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function init(source: EngineSource): Promise<void> {
  if (!core.isStarted) core.start(await resolveSource(source))
}

/**
 * The same for what edits, reads, truncates and estimates files and texts, from `trimtab/files.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initFiles(source: EngineSource): Promise<void> {
  if (!files.isStarted) files.start(await resolveSource(source))
}

/**
 * The same for {@link validate} and {@link repair}, from `trimtab/validity.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initValidity(source: EngineSource): Promise<void> {
  if (!rules.isStarted) rules.start(await resolveSource(source))
}
