import * as glue from '../../../pkg/outline/text.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Markdown by its headings, and any other text by its indentation. */
export const loadGrammar = outlinesOf(
  'text',
  glue,
  () => new URL('../../../pkg/outline/text_bg.wasm', import.meta.url),
)
