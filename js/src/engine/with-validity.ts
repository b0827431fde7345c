import { fromBase64 } from './module.js'
import { validity } from './validity.js'
import { validityBase64 } from './validity-bytes.js'

/** The same as `withCore`, for `pkg/validity_bg.wasm`. */
export function withValidity<T>(needed: T): T {
  validity.provide(() => fromBase64(validityBase64))
  return needed
}
