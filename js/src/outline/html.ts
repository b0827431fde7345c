import * as glue from '../../../pkg/outline/html.js'
import { outlinesOf } from '../outlining/grammar.js'

/** HTML. */
export const loadGrammar = outlinesOf(
  'html',
  glue,
  () => new URL('../../../pkg/outline/html_bg.wasm', import.meta.url),
)
