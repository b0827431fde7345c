import { coreBase64 } from './core-bytes.js'
import { core } from './engine.js'
import { files } from './files.js'
import { filesBase64 } from './files-bytes.js'
import { fromBase64 } from './wasm-module.js'

export * from './api.js'

// Decoded and compiled when a function first needs it: importing costs nothing.
core.provideBytes(() => fromBase64(coreBase64))
files.provideBytes(() => fromBase64(filesBase64))
