import { TrimtabError } from '../error.js'
import { type Glue, WasmModule } from '../wasm-module.js'
import { resolveSource } from '../wasm-source.js'
import type { LoadOptions } from './types.js'

/** `Encoder` of `encodings/src/wasm.rs`. */
export interface Encoder {
  count(bytes: number, all: boolean, names: string[]): number
  encode(bytes: number, all: boolean, names: string[]): Uint32Array
  decode(tokens: Uint32Array): Uint8Array
}

/** What the glue of every encoding's wasm file has. */
export interface EncodingGlue extends Glue {
  Encoder: new (name: string) => Encoder
  room(bytes: number): number
}

const utf8 = new TextEncoder()

/** The wasm file of a vocabulary: loaded once, whoever asks for it and however often. */
export class EncodingModule extends WasmModule {
  readonly glue: EncodingGlue
  readonly #file: () => URL
  #loading: Promise<void> | undefined
  #memory = new Uint8Array()

  /** @param file Where the wasm file is, if nobody brings it. */
  constructor(glue: EncodingGlue, file: () => URL) {
    super(glue, 'loadEncoding')
    this.glue = glue
    this.#file = file
  }

  /** Compiles and starts it. Can be tried again after it failed. */
  load(options: LoadOptions): Promise<void> {
    this.#loading ??= this.#load(options).catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #load({ source }: LoadOptions): Promise<void> {
    const found = source === undefined ? await read(this.#file()) : await resolveSource(source)
    this.start(isBytes(found) ? await compile(found) : found)
  }

  /** Writes a text as UTF-8 where an encoder reads it; returns how many bytes it has. */
  write(text: string): number {
    // Most texts are ASCII. A short one is given room for the worst case, a long one only if it needs it.
    let size = text.length < 4096 ? text.length * 3 : text.length
    let read = 0
    let written = 0
    for (;;) {
      const room = this.#room(size).subarray(written)
      const done = utf8.encodeInto(read === 0 ? text : text.slice(read), room)
      read += done.read
      written += done.written
      if (read >= text.length) return written
      size = written + (text.length - read) * 3
    }
  }

  #room(size: number): Uint8Array {
    const address = this.glue.room(size)
    // Growing the memory detaches every view of it, and a restart replaces it.
    if (this.#memory.byteLength === 0) this.#memory = new Uint8Array(this.memory.buffer)
    return this.#memory.subarray(address, address + size)
  }

  protected override restart(): void {
    super.restart()
    this.#memory = new Uint8Array()
  }
}

function isBytes(source: BufferSource | WebAssembly.Module): source is BufferSource {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source)
}

async function compile(bytes: BufferSource): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes)
  } catch (cause) {
    const message = `these bytes are no wasm file: ${String(cause)}`
    throw new TrimtabError('initialisation_failed', message, { argument: 'source', cause })
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
    const advice = 'pass {source: bytes, module, response or URL} where the package’s files are elsewhere'
    throw new TrimtabError('initialisation_failed', `${file.href} cannot be read; ${advice}`, {
      argument: 'source',
      cause,
    })
  }
}
