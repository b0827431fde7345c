import type { WasmSource } from '../engine/source.js'

/** An exact encoding: the tokens of a model's own tokenizer. */
export interface Encoding {
  /** Its name, such as `o200k_base`; `custom` for a custom vocabulary. */
  readonly name: string
  /**
   * Returns the number of tokens of a text. A lone surrogate counts as U+FFFD.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  count(text: string, options?: EncodeOptions): number
  /**
   * Returns the token ids of a text.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  encode(text: string, options?: EncodeOptions): Uint32Array
  /**
   * Returns the text of tokens. A character that is cut at the start or end becomes U+FFFD.
   *
   * @throws {TrimtabError} `invalid_tokens` for an id that is not a token.
   */
  decode(tokens: ArrayLike<number>): string
}

/** Options of {@link Encoding.count} and {@link Encoding.encode}. */
export interface EncodeOptions {
  /**
   * The special tokens (such as `<|endoftext|>`) that are recognised in the text; each is encoded as one
   * token. Others are encoded as plain text, so by default no text can pass as a special token.
   */
  allowSpecial?: 'all' | readonly string[] | undefined
}

/** Options of `loadEncoding`. */
export interface LoadOptions {
  /**
   * The wasm file, if it cannot be found next to the package's own files: as bytes, a compiled module, a
   * response, or a URL to fetch. `trimtab/encodings/NAME.wasm` is the file of `NAME`.
   */
  source?: WasmSource | undefined
}
