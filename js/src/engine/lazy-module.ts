import { TrimtabError } from '../base/error.js'
import { type Glue, notStarted, WasmModule } from './module.js'
import { resolveSource, type WasmSource } from './source.js'

/** A wasm file that is loaded when it is asked for: once, whoever asks and however often. */
export class LazyModule extends WasmModule {
  readonly #file: () => URL
  #loading: Promise<void> | undefined

  /**
   * @param init The function that loads it, for messages.
   * @param file Where the wasm file is, if nobody brings it.
   */
  constructor(glue: Glue, init: string, file: () => URL) {
    super(glue, init)
    this.#file = file
  }

  /** Compiles and starts it. Can be tried again after it failed. */
  load({ source }: { source?: WasmSource }): Promise<void> {
    this.#loading ??= this.#load(source).catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #load(source: WasmSource | undefined): Promise<void> {
    const found = source === undefined ? await read(addressOf(this.#file)) : await resolveSource(source)
    this.start(isBytes(found) ? await compile(found) : found)
  }
}

function isBytes(source: BufferSource | WebAssembly.Module): source is BufferSource {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source)
}

async function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes)
  } catch (cause) {
    throw notStarted('these bytes do not compile', cause, 'source')
  }
}

/** Reads a file of this package: from the disk in Node, else over the network. */
async function read(file: URL): Promise<BufferSource | WebAssembly.Module> {
  if (file.protocol !== 'file:') return resolveSource(file)
  // Not an import: bundlers for browsers would look for the module.
  const fs = globalThis.process?.getBuiltinModule?.('node:fs')
  if (fs === undefined) return resolveSource(file)
  try {
    // A copy of its own: the read buffer of a small file is shared.
    return new Uint8Array(await fs.promises.readFile(file))
  } catch (cause) {
    throw elsewhere(`${file.href} cannot be read`, cause)
  }
}

/** In a bundle a module may have no address, and so its file has none. */
function addressOf(file: () => URL): URL {
  try {
    return file()
  } catch (cause) {
    throw elsewhere('the wasm file has no address in this bundle', cause)
  }
}

function elsewhere(what: string, cause: unknown): TrimtabError {
  const advice = 'pass {source: bytes, module, response or URL} where the package’s files are elsewhere'
  return new TrimtabError('initialisation_failed', `${what}; ${advice}`, { argument: 'source', cause })
}
