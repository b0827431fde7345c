import { refuseWith } from '../base/check.js'
import { reasonOf, TrimtabError } from '../base/error.js'
import type { CompiledModule, WasmBytes } from './wasm-types.js'

/** A source to start a wasm file from. */
export type WasmSource =
  | ArrayBuffer
  | ArrayBufferView
  | CompiledModule
  | Response
  | PromiseLike<Response>
  | URL

/**
 * Returns the bytes or compiled module of a source. The only network call: fetches the given URL. A promise is
 * awaited, as in `init(fetch(address))`.
 */
export async function resolveSource(given: unknown): Promise<WasmBytes | CompiledModule> {
  const source = await fetched(() => given)
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source as WasmBytes
  if (source instanceof URL) return load(await fetched(() => fetch(source)))
  if (typeof Response !== 'undefined' && source instanceof Response) return load(source)
  // The compiled module of an edge runtime may not be an instance of this realm's `WebAssembly.Module`.
  if (typeof source === 'object' && source !== null) return source as CompiledModule
  const message = `the source must be bytes, a WebAssembly.Module, a Response or a URL, found ${typeof source}`
  return refuseWith('source', message, 'initialisation_failed')
}

/** Awaits what may reject with anything. */
async function fetched<T>(start: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await start()
  } catch (cause) {
    const message = `the source cannot be fetched: ${reasonOf(cause)}`
    throw new TrimtabError('initialisation_failed', message, { cause })
  }
}

const NEEDED = 'serve a wasm file there, or pass {source: bytes, a WebAssembly.Module, a Response or a URL}'

async function load(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) {
    const message = `${response.url || 'the response'} answered ${response.status}: ${NEEDED}`
    return refuseWith('source', message, 'initialisation_failed')
  }
  const bytes = await fetched(() => response.arrayBuffer())
  if (!isWasm(bytes)) {
    const type = response.headers.get('content-type') ?? 'something else'
    const message = `${response.url || 'the response'} answered with ${type}: ${NEEDED}`
    return refuseWith('source', message, 'initialisation_failed')
  }
  return bytes
}

/**
 * Whether bytes begin with the magic number of wasm. Many servers answer with an HTML page instead of a 404.
 */
const isWasm = (bytes: ArrayBuffer): boolean =>
  bytes.byteLength >= 4 && new DataView(bytes).getUint32(0) === WASM_MAGIC

const WASM_MAGIC = 0x0061736d
