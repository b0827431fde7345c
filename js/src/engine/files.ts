import { __wbg_reset_state, initSync } from '../../../pkg/files.js'
import { WasmModule } from './module.js'

/** Edits and reads of files: a separate wasm file, started at first use. */
export const files = new WasmModule({ __wbg_reset_state, initSync }, 'initFiles')
