import { __wbg_reset_state, initSync, keys, scratch, words } from '../../../pkg/core.js'
import { WasmModule } from './module.js'
import { type Reader, ReaderOf } from './reader.js'

/** The engine: reads histories and plans views. */
export const core = new WasmModule({ __wbg_reset_state, initSync }, 'init')

/** Counts the engine's restarts: what belongs to an earlier generation is gone and must be made again. */
export const currentGeneration = (): number => core.generation

/** Runs a call into the engine and turns what it throws into a `TrimtabError`. */
export const enter = <T>(call: () => T, option?: string): T => core.enter(call, option)

const reader = new ReaderOf(core, { keys, scratch, words })

/** What hosts need to read for the engine. */
export const currentReader = (): Reader => reader.current()

export { CompiledPolicy, Session as EngineSession } from '../../../pkg/core.js'
