import type { WasmSource } from '../engine/source.js'
import type { Outline } from '../generated/outline.js'

export type { LineRange, Outline, Section as OutlineSection, SectionKind } from '../generated/outline.js'

/** How large an outline may be: in lines of the outline, or in tokens (estimates: UTF-8 bytes / 3.5). */
export type OutlineBudget = { lines: number } | { tokens: number }

/** Options of {@link Grammar.outline}. */
export interface OutlineOptions {
  /**
   * What the outline must fit in: it folds deeper until it does. Default: a quarter of the file (at least 1,000 bytes),
   * but whatever stands at the top level is shown all the same, in up to half of the file (at least 2,000 bytes).
   */
  budget?: OutlineBudget
}

/** A grammar that is loaded. */
export interface Grammar {
  /** Its language. */
  readonly language: string
  /**
   * Outlines a file's content: text, or bytes of UTF-8 (or UTF-16 with a byte order mark). The third argument is for a
   * file that has several languages: `text` also has `markdown`.
   *
   * @throws {TrimtabError} `invalid_option`.
   */
  outline(content: string | Uint8Array, options?: OutlineOptions, language?: string): Outline
}

/** Options of `loadGrammar`. */
export interface LoadGrammarOptions {
  /**
   * The wasm file, where it cannot be found beside the package's own: as bytes, a compiled module, a response, or a URL
   * to fetch. `trimtab/outline/LANGUAGE.wasm` is that of `LANGUAGE`.
   */
  source?: WasmSource
}
