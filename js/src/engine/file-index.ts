import { __wbg_reset_state, initSync } from '../../../pkg/index.js'
import { WasmModule } from './module.js'

/** The file index's words and references: a wasm file of its own, started when an index is first used. */
export const fileIndex = new WasmModule({ __wbg_reset_state, initSync }, 'initIndex')

export { Index as EngineIndex } from '../../../pkg/index.js'
