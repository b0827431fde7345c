import { __wbg_reset_state, initSync } from '../../../pkg/index.js'
import { WasmModule } from './module.js'

/** Words and references of the file index: a separate wasm file, started at first use. */
export const fileIndex = new WasmModule({ __wbg_reset_state, initSync }, 'initIndex')

export { Index as EngineIndex } from '../../../pkg/index.js'
