import * as core from '../../pkg/core.js'
import { TrimtabError } from './error.js'
import type { Reader } from './host.js'

/** Where the engine's bytes come from: set by the entry point that inlines them. */
let loadBytes: (() => BufferSource) | undefined
let exports: core.InitOutput | undefined
let generation = 0

/** Lets the engine start by itself when it is first used. */
export function provideBytes(load: () => BufferSource): void {
  loadBytes = load
}

/** Starts the engine from bytes or a compiled module. A second call changes nothing. */
export function start(module: BufferSource | WebAssembly.Module): void {
  if (exports !== undefined) return
  try {
    exports = core.initSync({ module })
  } catch (cause) {
    throw new TrimtabError('initialisation_failed', `the engine does not start: ${String(cause)}`, { cause })
  }
}

/** Whether the engine runs. */
export function isStarted(): boolean {
  return exports !== undefined
}

function started(): core.InitOutput {
  if (exports === undefined) {
    if (loadBytes === undefined) {
      const advice = "call and await init() first, or import 'trimtab', which needs none"
      throw new TrimtabError('not_initialised', `trimtab/slim is not initialised: ${advice}`)
    }
    start(loadBytes())
  }
  return exports as core.InitOutput
}

/** Counts the engine's restarts: what belongs to an earlier generation is gone and must be made again. */
export function currentGeneration(): number {
  started()
  return generation
}

/**
 * Runs a call into the engine and turns what it throws into a {@link TrimtabError}. A trap leaves the instance
 * unusable, so it is replaced: its memory held only what can be read again.
 */
export function enter<T>(call: () => T): T {
  started()
  try {
    return call()
  } catch (thrown) {
    throw asTrimtabError(thrown)
  }
}

interface EngineProblem {
  code: 'invalid_message' | 'mixed_formats' | 'unknown_format' | 'invalid_option' | 'invalid_policy'
  message: string
  index?: number | null
}

function asTrimtabError(thrown: unknown): TrimtabError {
  if (thrown instanceof TrimtabError) return thrown
  if (isProblem(thrown)) {
    const details = typeof thrown.index === 'number' ? { index: thrown.index } : {}
    return new TrimtabError(thrown.code, thrown.message, details)
  }
  restart()
  const message = `the engine failed and was started again; the call can be repeated: ${String(thrown)}`
  return new TrimtabError('engine_failed', message, { cause: thrown })
}

function isProblem(thrown: unknown): thrown is EngineProblem {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) && 'code' in thrown
}

function restart(): void {
  core.__wbg_reset_state()
  generation++
  reader = undefined
}

let reader: (Reader & { generation: number }) | undefined

/** What hosts need to read for the engine. */
export function currentReader(): Reader {
  started()
  if (reader?.generation !== generation) reader = { ...makeReader(), generation }
  return reader
}

function makeReader(): Reader {
  const words = new Map(core.words().map((word, number) => [word, number]))
  const [address, length] = core.scratch() as unknown as [number, number]
  let view = new Uint8Array()
  const scratch = () => {
    // Growing the memory detaches every view of it.
    if (view.byteLength === 0) view = new Uint8Array(currentMemory().buffer, address, length)
    return view
  }
  return { keys: core.keys(), words, scratch }
}

/** The glue answers a second `initSync` with the exports of the instance that runs now. */
function currentMemory(): WebAssembly.Memory {
  return core.initSync({ module: new Uint8Array() }).memory
}

export { CompiledPolicy, Session as EngineSession } from '../../pkg/core.js'
