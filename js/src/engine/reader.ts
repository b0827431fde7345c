import type { WasmModule } from './module.js'

/**
 * What a wasm file provides for reading the host's values: field names, known words, and a buffer for text.
 */
export interface Reader {
  readonly keys: readonly string[]
  readonly words: ReadonlyMap<string, number>
  /** The buffer for pieces of text; a new view after the memory has grown. */
  scratch(): Uint8Array
}

/** Exports of a wasm file that reads messages (`src/wasm/host.rs`). */
interface ReadingGlue {
  keys(): string[]
  words(): string[]
  scratch(): Uint32Array
}

/** Creates the {@link Reader} of a wasm file, and creates it again after a restart. */
export class ReaderOf {
  readonly #module: WasmModule
  readonly #glue: ReadingGlue
  #made: Reader | undefined
  #generation = -1

  constructor(module: WasmModule, glue: ReadingGlue) {
    this.#module = module
    this.#glue = glue
  }

  current(): Reader {
    const { generation } = this.#module
    if (this.#made === undefined || this.#generation !== generation) {
      this.#made = this.#make()
      this.#generation = generation
    }
    return this.#made
  }

  #make(): Reader {
    const words = new Map(this.#glue.words().map((word, number) => [word, number]))
    const [address, length] = this.#glue.scratch() as unknown as [number, number]
    let view = new Uint8Array()
    const scratch = () => {
      // Growing the memory detaches every view of it.
      if (view.byteLength === 0) view = new Uint8Array(this.#module.memory.buffer, address, length)
      return view
    }
    return { keys: this.#glue.keys(), words, scratch }
  }
}
