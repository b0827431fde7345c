import { TrimtabError } from '../base/error.js'
import { type Glue, notStarted, WasmModule } from './module.js'
import { resolveSource, type WasmSource } from './source.js'

/** A wasm file that is loaded when it is asked for: once, whoever asks and however often. */
export class LazyModule extends WasmModule {
  readonly #entry: string
  readonly #file: () => URL
  #loading: Promise<void> | undefined

  /**
   * @param init The function that loads it, for messages.
   * @param entry The entry of the package that is this file: `outline/go.wasm`.
   * @param file Where the wasm file is, if nobody brings it.
   */
  constructor(glue: Glue, init: string, entry: string, file: () => URL) {
    super(glue, init)
    this.#entry = entry
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
    const found = source === undefined ? await read(this.#entry, this.#file) : await resolveSource(source)
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
async function read(entry: string, file: () => URL): Promise<BufferSource | WebAssembly.Module> {
  const address = addressOf(file)
  // Not imports: bundlers for browsers would look for the modules.
  const builtin = globalThis.process?.getBuiltinModule
  if (address !== undefined && (builtin === undefined || address.protocol !== 'file:')) {
    return resolveSource(address)
  }
  const paths = [...(address === undefined ? [] : [address]), ...installed(entry)]
  let cause: unknown
  for (const path of paths) {
    try {
      // A copy of its own: the read buffer of a small file is shared.
      return new Uint8Array(
        await (builtin as typeof process.getBuiltinModule)('node:fs').promises.readFile(path),
      )
    } catch (error) {
      cause ??= error
    }
  }
  const what =
    address === undefined ? 'the wasm file has no address in this bundle' : `${address.href} cannot be read`
  throw elsewhere(what, cause)
}

/** In a bundle a module may have no address, and so its file has none. */
function addressOf(file: () => URL): URL | undefined {
  try {
    return file()
  } catch {
    return undefined
  }
}

/** Where the package is installed, seen from a bundle that left the file behind, or from the program that runs. */
function installed(entry: string): string[] {
  const { argv = [], getBuiltinModule } = globalThis.process ?? {}
  const module = getBuiltinModule?.('node:module')
  return [import.meta.url, argv[1]].flatMap((from) => {
    try {
      return from && module ? [module.createRequire(from).resolve(`trimtab/${entry}`)] : []
    } catch {
      return []
    }
  })
}

function elsewhere(what: string, cause: unknown): TrimtabError {
  const advice = 'install trimtab beside the bundle, or pass {source: bytes, module, response or URL}'
  return new TrimtabError('initialisation_failed', `${what}; ${advice}`, { argument: 'source', cause })
}
