import { LazyModule } from '../engine/lazy-module.js'
import type { Glue } from '../engine/module.js'

/** `Encoder` of `encodings/src/wasm.rs`. */
export interface Encoder {
  count(bytes: number, all: boolean, names: string[]): number
  encode(bytes: number, all: boolean, names: string[]): Uint32Array
  decode(tokens: Uint32Array): Uint8Array
}

/** Exports of the glue of every encoding's wasm file. */
export interface EncodingGlue extends Glue {
  Encoder: new (name: string) => Encoder
  room(bytes: number): number
}

const utf8 = new TextEncoder()

/** The wasm file of a vocabulary, loaded only once for all callers. */
export class EncodingModule extends LazyModule {
  readonly glue: EncodingGlue
  #memory = new Uint8Array()

  /**
   * @param vocabulary The file's name.
   * @param file Returns the address of the wasm file, used when the caller passes no source.
   */
  constructor(vocabulary: string, glue: EncodingGlue, file: () => URL) {
    super(glue, 'loadEncoding', `encodings/${vocabulary}.wasm`, file)
    this.glue = glue
  }

  /** Writes a text as UTF-8 to the encoder's input buffer and returns its length in bytes. */
  write(text: string): number {
    // Most texts are ASCII. A short text gets room for the worst case, a long one only if it needs it.
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
    // Growing the memory detaches every view of it, and a restart replaces the memory.
    if (this.#memory.byteLength === 0) this.#memory = new Uint8Array(this.memory.buffer)
    return this.#memory.subarray(address, address + size)
  }

  protected override restart(): void {
    super.restart()
    this.#memory = new Uint8Array()
  }
}
