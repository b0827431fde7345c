import { coreBase64 } from './core-bytes.js'
import { provideBytes } from './engine.js'

export * from './api.js'

// Decoded and compiled when a function first needs it: importing costs nothing.
provideBytes(() => {
  const binary = atob(coreBase64)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
})
