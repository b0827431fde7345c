import * as glue from '../../../pkg/outline/json.js'
import { outlinesOf } from '../outlining/grammar.js'

/** JSON. */
export const loadGrammar = outlinesOf(
  'json',
  glue,
  () => new URL('../../../pkg/outline/json_bg.wasm', import.meta.url),
)
