import { checkOptions } from '../base/check.js'
import type { EncodingModule } from './module.js'
import type { Encoding, LoadOptions } from './types.js'
import { WasmEncoding } from './wasm-encoding.js'

/** What an entry point of an encoding exports: loads it once and always gives the same object. */
export type LoadNamed = (options?: LoadOptions) => Promise<Encoding>

/** A published encoding of a wasm file, which may have several. */
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
