import { __wbg_reset_state, initSync } from '../../../pkg/files.js'
import { WasmModule } from './module.js'

/** Edits and reads of files: a wasm file of its own, started when the first of them is used. */
export const files = new WasmModule({ __wbg_reset_state, initSync }, 'initFiles')
