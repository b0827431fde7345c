import { files } from './files.js'
import { filesBase64 } from './files-bytes.js'
import { fromBase64 } from './module.js'

/** The same as `withCore`, for `pkg/files_bg.wasm`. */
export function withFiles<T>(needed: T): T {
  files.provide(() => fromBase64(filesBase64))
  return needed
}
