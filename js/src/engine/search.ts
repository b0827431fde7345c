import { __wbg_reset_state, initSync } from '../../../pkg/search.js'
import { WasmModule } from './module.js'

/** Searches with patterns in files: a separate wasm file, started at first use. */
export const search = new WasmModule({ __wbg_reset_state, initSync }, 'initSearch')

export { FileSearch } from '../../../pkg/search.js'
