import { __wbg_reset_state, initSync, tables } from '../../../pkg/validity.js'
import { WasmModule } from './module.js'
import { ReaderOf } from './reader.js'

/** The rules of all providers: a separate wasm file, started at first use. */
export const validity = new WasmModule({ __wbg_reset_state, initSync }, 'initValidity')

const reader = new ReaderOf(validity, tables)

/** The tables and buffer for reading the host's values with the rules' wasm file. */
export const validityReader = () => reader.current()

export { repair as repairInEngine, validate as validateInEngine } from '../../../pkg/validity.js'
