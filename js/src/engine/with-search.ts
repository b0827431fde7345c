import { fromBase64 } from './module.js'
import { search } from './search.js'
import { searchBase64 } from './search-bytes.js'

/** The same as `withCore`, for `pkg/search_bg.wasm`. */
export function withSearch<T>(needed: T): T {
  search.provide(() => fromBase64(searchBase64))
  return needed
}
