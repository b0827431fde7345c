import { indexBase64 } from '../index-bytes.js'
import { fromBase64 } from '../wasm-module.js'
import { engine } from './module.js'

// Decoded and compiled when an index is first used: importing costs nothing.
engine.provideBytes(() => fromBase64(indexBase64))

export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from '../error.js'
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
