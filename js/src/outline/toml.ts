import * as glue from '../../../pkg/outline/toml.js'
import { outlinesOf } from '../outlining/grammar.js'

/** TOML. */
export const loadGrammar = outlinesOf(
  'toml',
  glue,
  () => new URL('../../../pkg/outline/toml_bg.wasm', import.meta.url),
)
