import * as glue from '../../../pkg/outline/css.js'
import { outlinesOf } from '../outlining/grammar.js'

/** CSS. */
export const loadGrammar = outlinesOf(
  'css',
  glue,
  () => new URL('../../../pkg/outline/css_bg.wasm', import.meta.url),
)
