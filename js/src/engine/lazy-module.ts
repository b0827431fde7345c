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
  const node = globalThis.process?.getBuiltinModule
  // Code of pages that a server renders may have a path of the site in its place, without a protocol.
  if (node !== undefined && (address === undefined || ['file:', ''].includes(address.protocol)))
    return readFromDisk(placesOf(entry, address, node('node:module')), address, node('node:fs'))
  if (address === undefined) throw elsewhere(address)
  return resolveSource(address)
}

async function readFromDisk(
  places: Iterable<URL | string>,
  address: URL | undefined,
  { promises }: typeof import('node:fs'),
): Promise<BufferSource> {
  let cause: unknown
  for (const place of places) {
    try {
      // A copy of its own: the read buffer of a small file is shared.
      return new Uint8Array(await promises.readFile(place))
    } catch (error) {
      cause ??= error
    }
  }
  throw elsewhere(address, cause)
}

/** Where a file was built to; else where the package is installed, seen from a bundle that left it behind, from the program or its folder. */
function* placesOf(
  entry: string,
  address: URL | undefined,
  { createRequire }: typeof import('node:module'),
): Generator<URL | string> {
  if (address !== undefined) yield address
  // Not by its bare name, for which bundlers of pages bring a stand-in along.
  const { process: host } = globalThis
  for (const from of [import.meta.url, host.argv[1], `${host.cwd()}/`]) {
    try {
      if (from) yield createRequire(from).resolve(`trimtab/${entry}`)
    } catch {
      // It is not installed there.
    }
  }
}

/** In a bundle a module may have no address, and so its file has none. */
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
