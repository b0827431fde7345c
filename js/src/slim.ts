import { core } from './engine/core.js'
import { fileIndex } from './engine/file-index.js'
import { files } from './engine/files.js'
import { search } from './engine/search.js'
import { resolveSource, type WasmSource } from './engine/source.js'
import { validity } from './engine/validity.js'

export * from './index.js'

/** A source to start the engine from. */
export type EngineSource = WasmSource

/**
 * Starts the engine from `trimtab/core.wasm`. The host loads the file its own way: as bytes, as a compiled
 * module, as a response, or from a URL (fetched; the only network call of this package, and only for the URL
 * given here).
 *
 * Until the promise has resolved, every function that needs the engine throws `not_initialised`. A second
 * call changes nothing.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function init(source: EngineSource): Promise<void> {
  if (!core.isStarted) core.start(await resolveSource(source))
}

/**
 * Like {@link init}, for the functions that edit, read, truncate and estimate files and texts, from
 * `trimtab/files.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initFiles(source: EngineSource): Promise<void> {
  if (!files.isStarted) files.start(await resolveSource(source))
}

/**
 * Like {@link init}, for {@link validate} and {@link repair}, from `trimtab/validity.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initValidity(source: EngineSource): Promise<void> {
  if (!validity.isStarted) validity.start(await resolveSource(source))
}

/**
 * Like {@link init}, for `trimtab/slim/index`, from `trimtab/index.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initIndex(source: EngineSource): Promise<void> {
  if (!fileIndex.isStarted) fileIndex.start(await resolveSource(source))
}

/**
 * Like {@link init}, for the tool `search` of `trimtab/slim/tools`, from `trimtab/search.wasm`.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initSearch(source: EngineSource): Promise<void> {
  if (!search.isStarted) search.start(await resolveSource(source))
}
