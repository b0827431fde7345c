// Brings the bytes of `pkg/core_bg.wasm` to what imports this. They are decoded and compiled when a function first needs
// them: importing costs nothing. `sideEffects` of package.json names this file, or bundlers would leave it out.
import { core } from './core.js'
import { coreBase64 } from './core-bytes.js'
import { fromBase64 } from './module.js'

core.provideBytes(() => fromBase64(coreBase64))
