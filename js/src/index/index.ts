import { indexBase64 } from '../engine/index-bytes.js'
import { fromBase64 } from '../engine/module.js'
import { resolveSource, type WasmSource } from '../engine/source.js'
import { engine } from './module.js'

// Decoded and compiled when an index is first used: importing costs nothing.
engine.provideBytes(() => fromBase64(indexBase64))

/**
 * Starts the index's engine from `trimtab/file-index.wasm`, where a host may not compile bytes (some edge runtimes). Else
 * it starts by itself. A second call changes nothing.
 *
 * @throws {TrimtabError} `initialisation_failed`.
 */
export async function initFileIndex(source: WasmSource): Promise<void> {
  if (!engine.isStarted) engine.start(await resolveSource(source))
}

export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from '../base/error.js'
export { createIndex, FileIndex } from './file-index.js'
export {
  createReadDigests,
  type DigestedRead,
  type DigestedView,
  ReadDigests,
  type ReadDigestsOptions,
  type SavedDigests,
} from './read-digests.js'
export type * from './types.js'
