// Counts the work of a call without a clock: the package's JavaScript (counting-js.ts) and the engine's wasm files
// (counting-wasm.ts) are instrumented, and JavaScript's built-in functions that examine more than one element count what
// they examine.
import { takeJsCounts } from './counting-js.js'
import { engineWork, resetEngineWork, takeEngineWork } from './counting-wasm.js'

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

/** Steps of any kind that a call took, and how often each place of the code ran. */
export interface Work {
  steps: number
  places: Map<string, number>
}

/** Returns the work of a call. */
export async function workOf(run: () => unknown): Promise<Work> {
  resetEngineWork()
  takeJsCounts()
  builtinWork = 0
  const stop = countBuiltins()
  try {
    await run()
  } finally {
    stop()
  }
  takeEngineWork()
  const places = takeJsCounts()
  let steps = engineWork.count + builtinWork
  for (const count of places.values()) steps += count
  for (const [instance, counts] of engineWork.places.entries())
    for (const [place, count] of counts) places.set(`wasm instance ${instance}, place ${place}`, count)
  return { steps, places }
}
