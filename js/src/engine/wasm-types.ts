// Types of the platform's WebAssembly, without its declarations: programs without the types of the DOM compile too.

/** Bytes of a wasm file: what the DOM calls `BufferSource`. */
export type WasmBytes = ArrayBuffer | ArrayBufferView

/** A `WebAssembly.Module`, where that is declared; otherwise any object. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } }
  ? // Alone it is an empty type, which a string would match.
    M & object
  : object

/** The memory of a started wasm file. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
}
