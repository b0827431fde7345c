import { fromByteText } from './module.js'
import { search } from './search.js'
import { searchBytes } from './search-bytes.js'

/** Like `withCore`, for `pkg/search_bg.wasm`. */
export function withSearch<T>(needed: T): T {
  search.provide(() => fromByteText(searchBytes))
  return needed
}
