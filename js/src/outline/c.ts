import * as glue from '../../../pkg/outline/c.js'
import { outlinesOf } from '../outlining/grammar.js'

/** C. */
export const loadGrammar = outlinesOf(
  'c',
  glue,
  () => new URL('../../../pkg/outline/c_bg.wasm', import.meta.url),
)
