import { fileIndex } from './file-index.js'
import { indexBytes } from './index-bytes.js'
import { fromByteText } from './module.js'

/** Like `withCore`, for `pkg/index_bg.wasm`. */
export function withIndex<T>(needed: T): T {
  fileIndex.provide(() => fromByteText(indexBytes))
  return needed
}
