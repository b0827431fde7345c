import {
  checkOptions,
  checkText,
  isWhole,
  kind,
  OBJECT,
  readable,
  refuse,
  shown,
  TEXTS,
} from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import type { Encoder, EncodingModule } from './module.js'
import type { EncodeOptions, Encoding } from './types.js'

/** How to create an encoding in a wasm file that has started. */
export interface Making {
  name: string
  module: EncodingModule
  /** Creates its tables; called again after a trap. */
  make(): Encoder
  /** Normalisation by its tokenizer before the text is split. */
  normalise?(text: string): string
}

// A byte order mark is an ordinary character here.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const NONE: string[] = []

const SPECIAL = kind<'all' | readonly string[]>(
  "'all' or an array of special tokens' names",
  (value) => value === 'all' || TEXTS.is(value),
)

/** An encoding in wasm. After a trap it continues in a new instance. */
export class WasmEncoding implements Encoding {
  readonly name: string
  readonly #making: Making
  readonly #module: EncodingModule
  #encoder: Encoder
  #generation: number

  /** Creates the tables immediately, so that the first count is as fast as the others. */
  constructor(making: Making) {
    this.name = making.name
    this.#making = making
    this.#module = making.module
    this.#encoder = making.module.enter(() => making.make())
    this.#generation = making.module.generation
  }

  count(text: string, options?: EncodeOptions): number {
    const { all, names } = allowed(options)
    return this.#enter(text, (encoder, bytes) => encoder.count(bytes, all, names))
  }

  encode(text: string, options?: EncodeOptions): Uint32Array {
    const { all, names } = allowed(options)
    return this.#enter(text, (encoder, bytes) => encoder.encode(bytes, all, names))
  }

  decode(tokens: ArrayLike<number>): string {
    const ids = readable('tokens', () => checkTokens(tokens), 'invalid_tokens')
    return utf8.decode(this.#module.enter(() => this.#current().decode(ids)))
  }

  #enter<T>(text: string, work: (encoder: Encoder, bytes: number) => T): T {
    checkText('text', text)
    const normal = this.#making.normalise?.(text) ?? text
    return this.#module.enter(() => work(this.#current(), this.#module.write(normal)))
  }

  #current(): Encoder {
    if (this.#generation !== this.#module.generation) {
      this.#encoder = this.#making.make()
      this.#generation = this.#module.generation
    }
    return this.#encoder
  }
}

function allowed(options: EncodeOptions | undefined): { all: boolean; names: string[] } {
  if (options === undefined) return { all: false, names: NONE }
  options = checkOptions(options, { allowSpecial: SPECIAL }, 'the encoding')
  const { allowSpecial = NONE } = options
  return allowSpecial === 'all' ? { all: true, names: NONE } : { all: false, names: [...allowSpecial] }
}

function checkTokens(tokens: ArrayLike<number>): Uint32Array {
  if (tokens instanceof Uint32Array) return tokens
  if (!OBJECT.is(tokens) || typeof tokens.length !== 'number') {
    return refuse('tokens', 'an array of ids', tokens, 'invalid_tokens')
  }
  for (let index = 0; index < tokens.length; index++) {
    const id: unknown = tokens[index]
    if (isWhole(id)) continue
    const message = `tokens[${index}] must be a whole number from 0 on, found ${shown(id)}`
    throw new TrimtabError('invalid_tokens', message, { argument: 'tokens', index })
  }
  return Uint32Array.from(tokens)
}
