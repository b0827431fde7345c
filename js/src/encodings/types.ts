import type { WasmSource } from '../engine/source.js'

/** An exact encoding: what a model's own tokenizer makes of text. */
export interface Encoding {
  /** Its name, such as `o200k_base`; `custom` for a vocabulary of one's own. */
  readonly name: string
  /**
   * The number of tokens of a text. A surrogate without its pair counts as U+FFFD.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  count(text: string, options?: EncodeOptions): number
  /**
   * The ids of a text's tokens.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  encode(text: string, options?: EncodeOptions): Uint32Array
  /**
   * The text of tokens. Where they begin or end within a character, it has U+FFFD there.
   *
   * @throws {TrimtabError} `invalid_tokens` for an id that no token has.
   */
  decode(tokens: ArrayLike<number>): string
}

/** Options of {@link Encoding.count} and {@link Encoding.encode}. */
export interface EncodeOptions {
  /**
   * The special tokens (such as `<|endoftext|>`) that the text may hold: each becomes its one token. Others are text
   * like any other, so without this option nothing in a text can pose as one.
   */
  allowSpecial?: 'all' | readonly string[]
}

/** Options of `loadEncoding`. */
export interface LoadOptions {
  /**
   * The wasm file, where it cannot be found beside the package's own: as bytes, a compiled module, a response, or a URL
   * to fetch. `trimtab/encodings/NAME.wasm` is that of `NAME`.
   */
  source?: WasmSource
}
