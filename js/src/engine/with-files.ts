import { files } from './files.js'
import { filesBytes } from './files-bytes.js'
import { fromByteText } from './module.js'

/** Like `withCore`, for `pkg/files_bg.wasm`. */
export function withFiles<T>(needed: T): T {
  files.provide(() => fromByteText(filesBytes))
  return needed
}
