import { refuseWith, shown } from '../base/check.js'
import { LOADERS } from './loaders.js'
import type { Encoding, LoadOptions } from './types.js'

export type { WasmSource } from '../engine/source.js'
export type { CompiledModule } from '../engine/wasm-types.js'
export type { EncodeOptions, Encoding, LoadOptions } from './types.js'

/** The name of an encoding in this package. */
export type EncodingName = keyof typeof LOADERS

/** The names of all encodings in this package. */
export const encodingNames: readonly EncodingName[] = Object.freeze(Object.keys(LOADERS) as EncodingName[])

/**
 * Loads an encoding. Its wasm file is read or fetched at the first call, and every call returns the same
 * object. With a bundler, `trimtab/encodings/NAME` includes only that encoding.
 *
 * @throws {TrimtabError} `unknown_encoding`, `initialisation_failed`.
 */
export async function loadEncoding(name: EncodingName, options?: LoadOptions): Promise<Encoding> {
  if (typeof name !== 'string' || !Object.hasOwn(LOADERS, name)) {
    const message = `there is no encoding ${shown(name)}: there are ${encodingNames.join(', ')}; trimtab/encodings/custom takes a vocabulary of yours`
    return refuseWith('name', message, 'unknown_encoding')
  }
  const { loadEncoding: load } = await LOADERS[name]()
  return load(options)
}
