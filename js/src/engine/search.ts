import { __wbg_reset_state, initSync } from '../../../pkg/search.js'
import { WasmModule } from './module.js'

/** Patterns over files: a wasm file of its own, started when a search is first made. */
export const search = new WasmModule({ __wbg_reset_state, initSync }, 'initSearch')

export { FileSearch } from '../../../pkg/search.js'
