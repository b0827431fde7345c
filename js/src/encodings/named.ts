import { checkOptions } from '../base/check.js'
import type { EncodingModule } from './module.js'
import type { Encoding, LoadOptions } from './types.js'
import { WasmEncoding } from './wasm-encoding.js'

/**
 * Loads an encoding once and returns the same object at every call. Exported by the entry point of each
 * encoding.
 */
export type LoadNamed = (options?: LoadOptions) => Promise<Encoding>

/** Returns the loader of a published encoding. One wasm file may contain several. */
export function named(name: string, module: EncodingModule, normalise?: (text: string) => string): LoadNamed {
  let encoding: Encoding | undefined
  return async (options = {}) => {
    options = checkOptions(options, { source: null }, 'loadEncoding')
    await module.load(options)
    const make = () => new module.glue.Encoder(name)
    encoding ??= new WasmEncoding({ name, module, make, ...(normalise && { normalise }) })
    return encoding
  }
}
