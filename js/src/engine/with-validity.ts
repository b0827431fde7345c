import { fromByteText } from './module.js'
import { validity } from './validity.js'
import { validityBytes } from './validity-bytes.js'

/** Like `withCore`, for `pkg/validity_bg.wasm`. */
export function withValidity<T>(needed: T): T {
  validity.provide(() => fromByteText(validityBytes))
  return needed
}
