// Counts the work of a call without a clock: V8 counts how often each block of the package's code runs, the engine's
// wasm files are instrumented (counting-wasm.ts), and JavaScript's built-in functions that examine more than one
// element count what they examine.
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import { countInstances, countingWasm, engineWork, resetEngineWork, takeEngineWork } from './counting-wasm.js'

interface Range {
  count: number
  startOffset: number
  endOffset: number
}
interface Script {
  url: string
  functions: { functionName: string; ranges: Range[] }[]
}

const IS_OURS = /\/(js\/dist|pkg)\//

let builtinWork = 0

// biome-ignore lint/suspicious/noExplicitAny: functions of any shape.
type Any = any
type Cost = (it: Any, args: Any[], result: Any) => number

const found: Cost = (it, [, from = 0], at) => (at >= 0 ? at + 1 : it.length) - from
const all: Cost = (it) => it.length
const made: Cost = (_it, _args, result) => result.length
const given: Cost = (_it, [first]) => first?.length ?? first?.byteLength ?? 0
const one: Cost = () => 1

const arrayIterator = Object.getPrototypeOf([][Symbol.iterator]())
const mapIterator = Object.getPrototypeOf(new Map().keys())
const setIterator = Object.getPrototypeOf(new Set().keys())
const typedArray = Object.getPrototypeOf(Uint8Array.prototype)

/** Built-in functions by holder, and the number of elements that a call of each examines. */
const COSTS: [holder: object, costs: Record<string, Cost>][] = [
  [
    Array.prototype,
    {
      includes: all,
      indexOf: found,
      lastIndexOf: (it, _, at) => (at < 0 ? it.length : it.length - at),
      slice: made,
      splice: (it, [from]) => Math.max(0, it.length - (from ?? 0)) + 1,
      concat: made,
      join: all,
      shift: all,
      unshift: all,
      reverse: all,
      fill: all,
      flat: made,
      toReversed: all,
      toSorted: all,
      with: all,
    },
  ],
  [Array, { from: made }],
  [
    Object,
    { keys: made, values: made, entries: made, assign: (_it, args) => Object.keys(args[1] ?? {}).length },
  ],
  [
    String.prototype,
    {
      includes: all,
      indexOf: found,
      lastIndexOf: (it, _, at) => (at < 0 ? it.length : it.length - at),
      split: all,
      replace: all,
      replaceAll: all,
      repeat: made,
      toLowerCase: all,
      toUpperCase: all,
      normalize: all,
    },
  ],
  [
    RegExp.prototype,
    { exec: (it, [text], result) => (result === null && !it.sticky ? String(text).length : 1) },
  ],
  [JSON, { stringify: (_it, _args, result) => result?.length ?? 0, parse: given }],
  [TextEncoder.prototype, { encode: made, encodeInto: (_it, _args, { read }) => read }],
  [TextDecoder.prototype, { decode: given }],
  [typedArray, { set: given, slice: made, fill: all, copyWithin: all, indexOf: found, includes: all }],
  [arrayIterator, { next: one }],
  [mapIterator, { next: one }],
  [setIterator, { next: one }],
]

/** Instruments the built-in functions; returns a function that undoes it. */
function countBuiltins(): () => void {
  const undo: (() => void)[] = []
  for (const [holder, costs] of COSTS) {
    for (const [name, cost] of Object.entries(costs)) {
      const descriptor = Object.getOwnPropertyDescriptor(holder, name)
      if (descriptor === undefined) continue
      const original = descriptor.value as (...args: Any[]) => Any
      const value = function (this: Any, ...args: Any[]): Any {
        const result = Reflect.apply(original, this, args)
        builtinWork += cost(this, args, result)
        return result
      }
      Object.defineProperty(holder, name, { ...descriptor, value })
      undo.push(() => Object.defineProperty(holder, name, descriptor))
    }
  }
  return () => {
    for (const each of undo) each()
  }
}

const session = new Session()

/** Starts counting. Call it before any of the package's code is used. */
export async function startCounting(): Promise<void> {
  // V8 counts a function only once it has a feedback vector, which it else makes after some calls.
  setFlagsFromString('--no-lazy-feedback-allocation')
  countInstances()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** The functions of the package's code that ran since the last time, by their names, each with its blocks. */
async function functionsRun(): Promise<Map<string, Range[][]>> {
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as { result: Script[] }
  const functions = new Map<string, Range[][]>()
  for (const { url, functions: found } of result) {
    if (!IS_OURS.test(url)) continue
    for (const { functionName, ranges } of found) {
      const name = `${url.slice(url.search(IS_OURS))} ${functionName} from ${ranges[0]?.startOffset}`
      functions.set(name, [...(functions.get(name) ?? []), ranges])
    }
  }
  return functions
}

/** How often the block at an offset ran. V8 leaves out a block that ran as often as the one around it. */
function countAt(ranges: readonly Range[], offset: number): number {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  return around.at(-1)?.count ?? 0
}

/** How often each block ran in each of several runs: every block that any of them reports. */
function blocksOf(runs: readonly Map<string, Range[][]>[]): Map<string, number>[] {
  const offsets = new Map<string, Set<number>>()
  for (const run of runs)
    for (const [name, found] of run) {
      const known = offsets.get(name) ?? new Set()
      for (const { startOffset } of found.flat()) known.add(startOffset)
      offsets.set(name, known)
    }
  return runs.map((run) => {
    const blocks = new Map<string, number>()
    for (const [name, known] of offsets)
      for (const offset of known) {
        const counts = (run.get(name) ?? []).map((ranges) => countAt(ranges, offset))
        blocks.set(
          `${name} at ${offset}`,
          counts.reduce((sum, count) => sum + count, 0),
        )
      }
    return blocks
  })
}

/** Steps of any kind that a call took, and how often each place of the code ran. */
export interface Work {
  steps: number
  places: Map<string, number>
}

/** Returns the work of each of several calls. Asking V8 takes long, and sets its counts to 0. */
export async function worksOf(runs: (() => unknown)[]): Promise<Work[]> {
  await functionsRun()
  const counted: Counted[] = []
  for (const run of runs) counted.push(await countedOf(run))
  const blocks = blocksOf(counted.map(({ functions }) => functions))
  return counted.map(({ steps, engine }, at) => {
    const own = blocks[at] as Map<string, number>
    const ran = [...own.values()].reduce((sum, count) => sum + count, 0)
    return { steps: steps + ran, places: new Map([...own, ...engine]) }
  })
}

/** What is counted of one call: steps of the engine and of built-in functions, and what ran of the package's code. */
interface Counted {
  steps: number
  engine: Map<string, number>
  functions: Map<string, Range[][]>
}

/** Counts one call, if V8 has counted nothing before it. */
async function countedOf(run: () => unknown): Promise<Counted> {
  resetEngineWork()
  builtinWork = 0
  const stop = countBuiltins()
  try {
    await run()
  } finally {
    stop()
  }
  takeEngineWork()
  const steps = engineWork.count + builtinWork
  const engine = new Map<string, number>()
  for (const [instance, counts] of engineWork.places.entries())
    for (const [place, count] of counts) engine.set(`wasm instance ${instance}, place ${place}`, count)
  return { steps, engine, functions: await functionsRun() }
}

export { countingWasm }
