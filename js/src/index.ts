import { coreBase64 } from './core-bytes.js'
import { provideBytes } from './engine.js'

export * from './api.js'

// Decoded and compiled when a function first needs it: importing costs nothing.
provideBytes(() => Uint8Array.from(atob(coreBase64), (character) => character.charCodeAt(0)))
