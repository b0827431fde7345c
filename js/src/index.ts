import { coreBase64 } from './core-bytes.js'
import { core } from './engine.js'
import { fromBase64 } from './wasm-module.js'

export * from './api.js'
export * from './inlined.js'

// Decoded and compiled when a function first needs it: importing costs nothing.
core.provideBytes(() => fromBase64(coreBase64))
