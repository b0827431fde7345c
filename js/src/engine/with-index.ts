import { fileIndex } from './file-index.js'
import { indexBase64 } from './index-bytes.js'
import { fromBase64 } from './module.js'

/** The same as `withCore`, for `pkg/index_bg.wasm`. */
export function withIndex<T>(needed: T): T {
  fileIndex.provide(() => fromBase64(indexBase64))
  return needed
}
