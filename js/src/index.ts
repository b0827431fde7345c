import { core } from './engine/core.js'
import { coreBase64 } from './engine/core-bytes.js'
import { fromBase64 } from './engine/module.js'

export * from './entries/api.js'
export * from './entries/inlined.js'

// Decoded and compiled when a function first needs it: importing costs nothing.
core.provideBytes(() => fromBase64(coreBase64))
