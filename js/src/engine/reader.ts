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

/** What a wasm file that reads messages returns (`src/wasm/host.rs`). */
interface Tables {
  keys: string[]
  words: string[]
  scratch: [address: number, length: number]
}

/** Creates the {@link Reader} of a wasm file, and creates it again after a restart. */
export class ReaderOf {
  readonly #module: WasmModule
  readonly #tables: () => unknown
  #made: Reader | undefined
  #generation = -1

  constructor(module: WasmModule, tables: () => unknown) {
    this.#module = module
    this.#tables = tables
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
    const { keys, words, scratch } = this.#tables() as Tables
    let view = new Uint8Array()
    return {
      keys,
      words: new Map(words.map((word, number) => [word, number])),
      scratch: () => {
        // Growing the memory detaches every view of it.
        if (view.byteLength === 0) view = new Uint8Array(this.#module.memory.buffer, ...scratch)
        return view
      },
    }
  }
}
