import * as glue from '../../../pkg/validity.js'
import { WasmModule } from './module.js'
import { ReaderOf } from './reader.js'

/** The rules of all providers: a wasm file of its own, started when they are first asked for. */
export const validity = new WasmModule(glue, 'initValidity')

const reader = new ReaderOf(validity, glue)

/** What hosts need to read for the rules. */
export const validityReader = () => reader.current()

export { repair as repairInEngine, validate as validateInEngine } from '../../../pkg/validity.js'
