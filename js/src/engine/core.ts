import { __wbg_reset_state, initSync, tables } from '../../../pkg/core.js'
import { WasmModule } from './module.js'
import { type Reader, ReaderOf } from './reader.js'

/** The engine: reads histories and plans views. */
export const core = new WasmModule({ __wbg_reset_state, initSync }, 'init')

/**
 * Number of restarts of the engine. Objects of an earlier generation are invalid and must be created again.
 */
export const currentGeneration = (): number => core.generation

/** Runs a call into the engine and converts what it throws into a `TrimtabError`. */
export const enter = <T>(call: () => T): T => core.enter(call)

const reader = new ReaderOf(core, tables)

/** The engine's tables and buffer for reading the host's values. */
export const currentReader = (): Reader => reader.current()

export {
  activeFiles,
  blockText,
  CompiledPolicy,
  planPlaceholders,
  recall,
  Session as EngineSession,
  sentences,
  shouldTruncate,
  steps,
  summaries,
  unbound,
  usage,
} from '../../../pkg/core.js'
