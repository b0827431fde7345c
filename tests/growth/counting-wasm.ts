// Instruments wasm files to count their work: each function entered, each loop iteration, and each byte copied or
// filled is reported to an import.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import binaryen from 'binaryen'
import { at } from '../../scripts/lib/project.mjs'

/** Additional imports of the instrumented files. */
const LOOPS = 'log_execution'
const BYTES = 'log_bytes'

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

function countingBytes(wasm: Uint8Array): Uint8Array {
  const module = binaryen.readBinary(wasm)
  module.setFeatures(FEATURES)
  module.runPasses(['log-execution'])
  const text = module.emitText()
  module.dispose()
  const from = new RegExp(`\\(import "([^"]+)" "${LOOPS}"`).exec(text)?.[1]
  const withCounts = text
    .replaceAll(/\(memory\.(copy|fill)\n/g, '(call $counted_$1\n')
    .replace(/\n \(import /, `\n (import "${from}" "${BYTES}" (func $${BYTES} (param i32)))\n (import `)
    .replace(/\)\s*$/, `${counted('copy')}${counted('fill')}\n)\n`)
  const copy = binaryen.parseText(withCounts)
  copy.setFeatures(FEATURES)
  const bytes = copy.emitBinary()
  copy.dispose()
  return bytes
}

/** Returns an instrumented copy of a wasm file in `pkg`, cached while the file is unchanged. */
export function countingWasm(name: string): Uint8Array<ArrayBuffer> {
  const wasm = readFileSync(at('pkg', `${name}_bg.wasm`))
  const key = createHash('sha256').update(wasm).update(countingBytes.toString()).digest('hex').slice(0, 16)
  const file = at('target', 'growth', `${name.replace('/', '-')}-${key}.wasm`)
  if (!existsSync(file)) {
    mkdirSync(at('target', 'growth'), { recursive: true })
    writeFileSync(`${file}.${process.pid}`, countingBytes(wasm))
    renameSync(`${file}.${process.pid}`, file)
  }
  return new Uint8Array(readFileSync(file))
}

/** Work counted so far, and how often each place of the code ran: functions and loops by instance and number. */
export const engineWork = { count: 0, places: [] as Uint32Array[] }

export function resetEngineWork(): void {
  engineWork.count = 0
  for (const places of engineWork.places) places.fill(0)
}

/** More places than any of the files has. */
const PLACES = 1 << 16

/** Adds the imports of instrumented files to every instance created from now on. */
export function countInstances(): void {
  const { Instance } = WebAssembly
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, [module, imports]: [WebAssembly.Module, Record<string, object>]) {
      const places = new Uint32Array(PLACES)
      engineWork.places.push(places)
      const counting = Object.entries(imports ?? {}).map(([from, functions]) => [
        from,
        {
          ...functions,
          [LOOPS]: (place: number) => {
            engineWork.count++
            places[place] = (places[place] as number) + 1
          },
          [BYTES]: (count: number) => {
            engineWork.count += count / 8
          },
        },
      ])
      return Reflect.construct(target, [module, Object.fromEntries(counting)])
    },
  })
}
