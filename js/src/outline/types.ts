import type { WasmSource } from '../engine/source.js'
import type { Outline } from '../generated/outline.js'
import type { TextEncoding } from '../generated/types.js'

export type { LineRange, Outline, Section as OutlineSection, SectionKind } from '../generated/outline.js'
export type { TextEncoding } from '../generated/types.js'

/** Maximum size of an outline: in lines, or in tokens (estimates: UTF-8 bytes / 3.5). */
export type OutlineBudget = { lines: number } | { tokens: number }

/** Options of {@link Grammar.outline}. */
export interface OutlineOptions {
  /**
   * Maximum size: the outline folds deeper until it fits. Default: a quarter of the file (at least 1,000 bytes), but
   * all top-level items are shown even so, in up to half of the file (at least 2,000 bytes).
   */
  budget?: OutlineBudget | undefined
  /** The encoding of bytes that do not say it by a byte order mark. Default UTF-8. */
  encoding?: TextEncoding | undefined
}

/** A loaded grammar. */
export interface Grammar {
  /** Language of the grammar. */
  readonly language: string
  /**
   * Outlines a file's content: text, or bytes in UTF-8 (or UTF-16 with a byte order mark). The third argument selects a
   * language if the grammar has several: `text` also has `markdown`. Does not
   * recognise binary files.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  outline(content: string | Uint8Array, options?: OutlineOptions, language?: string): Outline
}

/** Options of `loadGrammar`. */
export interface LoadGrammarOptions {
  /**
   * The wasm file, if it cannot be found next to the package's own files: bytes, a compiled module, a response, or a
   * URL to fetch. `trimtab/outline/LANGUAGE.wasm` is the file for `LANGUAGE`.
   */
  source?: WasmSource | undefined
}
