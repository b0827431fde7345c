import { TrimtabError } from '../base/error.js'
import { type Glue, notStarted, WasmModule } from './module.js'
import { resolveSource, type WasmSource } from './source.js'
import type { CompiledModule, WasmBytes } from './wasm-types.js'

/** A wasm file that is loaded on request, only once for all callers. */
export class LazyModule extends WasmModule {
  readonly #entry: string
  readonly #file: () => URL
  #loading: Promise<void> | undefined

  /**
   * @param init The name of the function that loads it, for messages.
   * @param entry The package's entry for this file, such as `outline/go.wasm`.
   * @param file Returns the address of the wasm file, used when the caller passes no source.
   */
  constructor(glue: Glue, init: string, entry: string, file: () => URL) {
    super(glue, init)
    this.#entry = entry
    this.#file = file
  }

  /** Compiles and starts it. After a failure it can be called again. */
  load({ source }: { source?: WasmSource | undefined }): Promise<void> {
    this.#loading ??= this.#load(source).catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #load(source: WasmSource | undefined): Promise<void> {
    const found = source === undefined ? await read(this.#entry, this.#file) : await resolveSource(source)
    this.start(isBytes(found) ? await compile(found) : found)
  }
}

function isBytes(source: WasmBytes | CompiledModule): source is WasmBytes {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source)
}

async function compile(bytes: WasmBytes): Promise<CompiledModule> {
  try {
    return await WebAssembly.compile(bytes as BufferSource)
  } catch (cause) {
    throw notStarted('these bytes do not compile', cause, 'source')
  }
}

/** Reads a file of this package: from the disk in Node, otherwise over the network. */
async function read(entry: string, file: () => URL): Promise<WasmBytes | CompiledModule> {
  const address = addressOf(file)
  // Not an import: bundlers for browsers would try to resolve the modules.
  const node = globalThis.process?.getBuiltinModule
  // In code of server-rendered pages the address may be a path of the site, without a protocol.
  if (node !== undefined && (address === undefined || ['file:', ''].includes(address.protocol)))
    return readFromDisk(placesOf(entry, address, node('node:module')), address, node('node:fs'))
  if (address === undefined) throw elsewhere(address)
  return resolveSource(address)
}

async function readFromDisk(
  places: Iterable<URL | string>,
  address: URL | undefined,
  { promises }: typeof import('node:fs'),
): Promise<WasmBytes> {
  let cause: unknown
  for (const place of places) {
    try {
      // A copy, because the read buffer of a small file is shared.
      return new Uint8Array(await promises.readFile(place))
    } catch (error) {
      cause ??= error
    }
  }
  throw elsewhere(address, cause)
}

/**
 * Where a file may be: the built address, then the installed package as resolved from this module (which a
 * bundle may have moved), the program, and the working directory.
 */
function* placesOf(
  entry: string,
  address: URL | undefined,
  { createRequire }: typeof import('node:module'),
): Generator<URL | string> {
  if (address !== undefined) yield address
  // Via `globalThis`: for the bare name `process`, bundlers of pages add a polyfill.
  const { process: host } = globalThis
  for (const from of [import.meta.url, host.argv[1], `${host.cwd()}/`]) {
    try {
      if (from) yield createRequire(from).resolve(`trimtab/${entry}`)
    } catch {
      // Not installed there.
    }
  }
}

/** Returns the address of a file; `undefined` in a bundle whose modules have no address. */
function addressOf(file: () => URL): URL | undefined {
  try {
    return file()
  } catch {
    return undefined
  }
}

function elsewhere(address: URL | undefined, cause?: unknown): TrimtabError {
  const what =
    address === undefined ? 'the wasm file has no address in this bundle' : `${address.href} cannot be read`
  const advice = 'install trimtab beside the bundle, or pass {source: bytes, module, response or URL}'
  return new TrimtabError('initialisation_failed', `${what}; ${advice}`, { argument: 'source', cause })
}
