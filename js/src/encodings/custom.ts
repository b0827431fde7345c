import * as glue from '../../../pkg/encodings/custom.js'
import { TrimtabError } from '../base/error.js'
import { shown } from '../base/refuse.js'
import { EncodingModule } from './module.js'
import type { Encoding, LoadOptions } from './types.js'
import { WasmEncoding } from './wasm-encoding.js'

const engine = new EncodingModule(
  glue,
  () => new URL('../../../pkg/encodings/custom_bg.wasm', import.meta.url),
)

/** A vocabulary of one's own. */
export interface CustomEncoding extends LoadOptions {
  /**
   * The content of a `.tiktoken` file: on each line a token's bytes in base64, a space, and its rank, which is its id.
   * Every single byte must be among the tokens.
   */
  vocabulary: string | Uint8Array
  /** The regular expression that splits a text into pieces, as tiktoken has it (look-around allowed, Unicode classes). */
  pattern: string
  /** Special tokens: names and ids. */
  special?: Readonly<Record<string, number>>
}

/**
 * An encoding of a vocabulary that you bring. What the pattern does not match has no tokens, as in tiktoken.
 *
 * @throws {TrimtabError} `invalid_vocabulary`, `invalid_option`, `initialisation_failed`.
 */
export async function createEncoding(custom: CustomEncoding): Promise<Encoding> {
  const { vocabulary, pattern, special, ...options } = check(custom)
  const names = Object.keys(special)
  const ids = Uint32Array.from(Object.values(special))
  const make = () => glue.Encoder.custom(engine.write(vocabulary), pattern, names, ids)
  await engine.load(options)
  return new WasmEncoding({ name: 'custom', module: engine, make })
}

function check(custom: CustomEncoding) {
  const { vocabulary, pattern, special = {}, ...options } = custom ?? {}
  const isBytes = vocabulary instanceof Uint8Array
  if (typeof vocabulary !== 'string' && !isBytes) {
    fail('vocabulary', 'invalid_vocabulary', 'must be the content of a .tiktoken file, as text or bytes')
  }
  if (typeof pattern !== 'string') fail('pattern', 'invalid_option', 'must be a regular expression, as text')
  if (typeof special !== 'object' || special === null) {
    fail('special', 'invalid_option', 'must be an object of names and ids')
  }
  for (const [name, id] of Object.entries(special)) {
    if (Number.isInteger(id) && id >= 0 && id < 2 ** 32) continue
    fail('special', 'invalid_option', `must have whole numbers from 0 on as ids, ${name} has ${shown(id)}`)
  }
  const text = isBytes ? new TextDecoder().decode(vocabulary) : vocabulary
  return { vocabulary: text, pattern, special, ...options }
}

function fail(argument: string, code: 'invalid_vocabulary' | 'invalid_option', what: string): never {
  throw new TrimtabError(code, `${argument} ${what}`, { argument })
}
