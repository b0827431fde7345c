import { TrimtabError } from '../base/error.js'
import { shown } from '../base/refuse.js'
import type { Encoding, LoadOptions } from '../encoding/types.js'

export { TrimtabError, type TrimtabErrorCode, type TrimtabErrorDetails } from '../base/error.js'
export type { EncodeOptions, Encoding, LoadOptions } from '../encoding/types.js'
export type { WasmSource } from '../engine/source.js'

const LOADERS = {
  o200k_base: () => import('./o200k_base.js'),
  o200k_harmony: () => import('./o200k_harmony.js'),
  cl100k_base: () => import('./cl100k_base.js'),
  llama3: () => import('./llama3.js'),
  qwen2: () => import('./qwen2.js'),
  deepseek_v3: () => import('./deepseek_v3.js'),
  deepseek_v4: () => import('./deepseek_v4.js'),
}

/** An encoding that this package has. */
export type EncodingName = keyof typeof LOADERS

/** All of them. */
export const encodingNames: readonly EncodingName[] = Object.freeze(Object.keys(LOADERS) as EncodingName[])

/**
 * Loads an encoding: its wasm file is read or fetched at the first call, and the same object is given at every one.
 * With a bundler, `trimtab/encodings/NAME` brings along that one encoding only.
 *
 * @throws {TrimtabError} `unknown_encoding`, `initialisation_failed`.
 */
export async function loadEncoding(name: EncodingName, options?: LoadOptions): Promise<Encoding> {
  if (typeof name !== 'string' || !Object.hasOwn(LOADERS, name)) {
    const message = `there is no encoding ${shown(name)}: there are ${encodingNames.join(', ')}; trimtab/encodings/custom takes a vocabulary of yours`
    throw new TrimtabError('unknown_encoding', message, { argument: 'name' })
  }
  const { loadEncoding: load } = await LOADERS[name]()
  return load(options)
}
