import * as glue from '../../../pkg/encodings/custom.js'
import {
  called,
  check,
  checkOptions,
  dataKind,
  isWhole,
  kind,
  OBJECT,
  refuseWith,
  shown,
  TEXT,
} from '../base/check.js'
import { EncodingModule } from './module.js'
import type { Encoding, LoadOptions } from './types.js'
import { WasmEncoding } from './wasm-encoding.js'

const engine = new EncodingModule(
  'custom',
  glue,
  () => new URL('../../../pkg/encodings/custom_bg.wasm', import.meta.url),
)

/** A custom vocabulary. */
export interface CustomEncoding extends LoadOptions {
  /**
   * The content of a `.tiktoken` file: each line has a token's bytes in base64, a space, and its rank, which
   * is its id. Every single byte must be a token.
   */
  vocabulary: string | Uint8Array
  /**
   * The regular expression that splits a text into pieces, in tiktoken's syntax (look-around and Unicode
   * classes allowed).
   */
  pattern: string
  /** Special tokens: names and ids. */
  special?: Readonly<Record<string, number>> | undefined
}

/**
 * Creates an encoding from a custom vocabulary. Text that the pattern does not match has no tokens, as in
 * tiktoken.
 *
 * @throws {TrimtabError} `invalid_vocabulary`, `invalid_option`, `initialisation_failed`.
 */
export async function createEncoding(custom: CustomEncoding): Promise<Encoding> {
  const { vocabulary, pattern, special, ...options } = checked(custom)
  const names = Object.keys(special)
  const ids = Uint32Array.from(Object.values(special))
  const make = () => glue.Encoder.custom(engine.write(vocabulary), pattern, names, ids)
  await engine.load(options)
  return new WasmEncoding({ name: 'custom', module: engine, make })
}

const VOCABULARY = kind<string | Uint8Array>(
  'the content of a .tiktoken file, as text or bytes',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
)
const OPTIONS = {
  vocabulary: null,
  pattern: null,
  special: dataKind('an object of names and ids', OBJECT.is),
  source: null,
}

function checked(custom: CustomEncoding) {
  custom = checkOptions(custom ?? {}, OPTIONS, 'createEncoding')
  const { vocabulary, pattern, special = {}, ...options } = custom ?? {}
  check('vocabulary', vocabulary, VOCABULARY, 'invalid_vocabulary')
  check('pattern', pattern, called(TEXT, 'a regular expression, as text'))
  for (const [name, id] of Object.entries(special)) {
    if (isWhole(id)) continue
    const message = `special must have whole numbers from 0 on as ids, ${name} has ${shown(id)}`
    refuseWith('special', message)
  }
  const text = typeof vocabulary === 'string' ? vocabulary : new TextDecoder().decode(vocabulary)
  return { vocabulary: text, pattern, special, ...options }
}
