import { __wbg_reset_state, initSync, keys, scratch, words } from '../../../pkg/validity.js'
import { WasmModule } from './module.js'
import { ReaderOf } from './reader.js'

/** The rules of all providers: a wasm file of its own, started when they are first asked for. */
export const validity = new WasmModule({ __wbg_reset_state, initSync }, 'initValidity')

const reader = new ReaderOf(validity, { keys, scratch, words })

/** What hosts need to read for the rules. */
export const validityReader = () => reader.current()

export { repair as repairInEngine, validate as validateInEngine } from '../../../pkg/validity.js'
