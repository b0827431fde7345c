import * as glue from '../../../pkg/index.js'
import { WasmModule } from '../engine/module.js'

/** The index's words and references: a wasm file of its own, started when an index is first used. */
export const engine = new WasmModule(glue, 'createIndex')

export { Index as EngineIndex } from '../../../pkg/index.js'
