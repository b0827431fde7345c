import * as glue from '../../pkg/core.js'
import type { Reader } from './host.js'
import { WasmModule } from './wasm-module.js'

/** The engine: reads histories and plans views. */
export const core = new WasmModule(glue, 'init')

/** Counts the engine's restarts: what belongs to an earlier generation is gone and must be made again. */
export const currentGeneration = (): number => core.generation

/** Runs a call into the engine and turns what it throws into a `TrimtabError`. */
export const enter = <T>(call: () => T): T => core.enter(call)

let reader: (Reader & { generation: number }) | undefined

/** What hosts need to read for the engine. */
export function currentReader(): Reader {
  const generation = core.generation
  if (reader?.generation !== generation) reader = { ...makeReader(), generation }
  return reader
}

function makeReader(): Reader {
  const words = new Map(glue.words().map((word, number) => [word, number]))
  const [address, length] = glue.scratch() as unknown as [number, number]
  let view = new Uint8Array()
  const scratch = () => {
    // Growing the memory detaches every view of it.
    if (view.byteLength === 0) view = new Uint8Array(core.memory.buffer, address, length)
    return view
  }
  return { keys: glue.keys(), words, scratch }
}

export { CompiledPolicy, Session as EngineSession } from '../../pkg/core.js'
