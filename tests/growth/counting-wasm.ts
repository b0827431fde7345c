// Instruments wasm files to count their work. Each function entered and each loop iteration is counted in a global of the
// file, which costs a tenth of a call of an import; each byte copied or filled is reported to an import.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import binaryen from 'binaryen'
import { at } from '../../scripts/lib/project.mjs'

/** Additional imports of the instrumented files: `LOOPS` is called for each place that ran when counts are taken. */
const LOOPS = 'log_execution'
const BYTES = 'log_bytes'
/** An additional export: reports and resets all counts. */
const TAKE = 'take_counts'

/** Features that the files are built with (scripts/lib/wasm.mjs). */
const { Features } = binaryen
const FEATURES =
  Features.MutableGlobals |
  Features.NontrappingFPToInt |
  Features.SIMD128 |
  Features.BulkMemory |
  Features.BulkMemoryOpt |
  Features.SignExt |
  Features.ReferenceTypes |
  Features.Multivalue

/** Functions that count the bytes of `memory.copy` and `memory.fill`, and perform them. */
const counted = (kind: string) => `
 (func $counted_${kind} (param i32 i32 i32)
  (call $${BYTES} (local.get 2))
  (memory.${kind} (local.get 0) (local.get 1) (local.get 2)))`

/** A global for each place, and functions that report and reset those that are not 0. */
function counters(places: number): string {
  const numbers = Array.from({ length: places }, (_, place) => place)
  const globals = numbers.map((place) => ` (global $ran_${place} (mut i32) (i32.const 0))`)
  const taken = numbers.map(
    (place) => `  (if (global.get $ran_${place}) (then
    (call $${LOOPS} (i32.const ${place}) (global.get $ran_${place}))
    (global.set $ran_${place} (i32.const 0))))`,
  )
  return `${globals.join('\n')}\n (func $${TAKE} (export "${TAKE}")\n${taken.join('\n')})`
}

function countingBytes(wasm: Uint8Array): Uint8Array {
  const module = binaryen.readBinary(wasm)
  module.setFeatures(FEATURES)
  module.runPasses(['log-execution'])
  const text = module.emitText()
  module.dispose()
  const from = new RegExp(`\\(import "([^"]+)" "${LOOPS}"`).exec(text)?.[1]
  let places = 0
  const withCounts = text
    .replace(`$${LOOPS} (param i32)`, `$${LOOPS} (param i32 i32)`)
    .replaceAll(
      new RegExp(`\\(call \\$${LOOPS}\\s+\\(i32\\.const (\\d+)\\)\\s*\\)`, 'g'),
      (_, place: string) => {
        places = Math.max(places, Number(place) + 1)
        return `(global.set $ran_${place} (i32.add (global.get $ran_${place}) (i32.const 1)))`
      },
    )
    .replaceAll(/\(memory\.(copy|fill)\n/g, '(call $counted_$1\n')
    .replace(/\n \(import /, `\n (import "${from}" "${BYTES}" (func $${BYTES} (param i32)))\n (import `)
    .replace(/\)\s*$/, `${counted('copy')}${counted('fill')}\n`)
  const copy = binaryen.parseText(`${withCounts}${counters(places)}\n)\n`)
  copy.setFeatures(FEATURES)
  const bytes = copy.emitBinary()
  copy.dispose()
  return bytes
}

/** Returns an instrumented copy of a wasm file in `pkg`, cached while the file is unchanged. */
export function countingWasm(name: string): Uint8Array<ArrayBuffer> {
  const wasm = readFileSync(at('pkg', `${name}_bg.wasm`))
  const key = createHash('sha256')
    .update(wasm)
    .update(`${countingBytes}${counters}`)
    .digest('hex')
    .slice(0, 16)
  const file = at('target', 'growth', `${name.replace('/', '-')}-${key}.wasm`)
  if (!existsSync(file)) {
    mkdirSync(at('target', 'growth'), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, countingBytes(wasm))
    renameSync(`${file}.${process.pid}`, file)
  }
  return new Uint8Array(readFileSync(file))
}

/** Work counted so far, and how often each place of the code ran: functions and loops by instance and number. */
export const engineWork = { count: 0, places: [] as Map<number, number>[] }

/** For each instance, reports its counts. */
const taking: (() => void)[] = []

/** Adds what the instances counted to `engineWork`. */
export function takeEngineWork(): void {
  for (const take of taking) take()
}

export function resetEngineWork(): void {
  takeEngineWork()
  engineWork.count = 0
  for (const places of engineWork.places) places.clear()
}

/** Adds the imports of instrumented files to every instance created from now on. */
export function countInstances(): void {
  const { Instance } = WebAssembly
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, Record<string, object>]) {
      const places = new Map<number, number>()
      engineWork.places.push(places)
      const counting = Object.entries(imports ?? {}).map(([from, functions]) => [
        from,
        {
          ...functions,
          [LOOPS]: (place: number, signed: number) => {
            const count = signed >>> 0
            engineWork.count += count
            places.set(place, (places.get(place) ?? 0) + count)
          },
          [BYTES]: (count: number) => {
            engineWork.count += count / 8
          },
        },
      ])
      const instance: WebAssembly.Instance = Reflect.construct(target, [module, Object.fromEntries(counting)])
      const take = instance.exports[TAKE]
      if (typeof take === 'function') taking.push(() => take())
      return instance
    },
  })
}
