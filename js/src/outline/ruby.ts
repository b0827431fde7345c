import * as glue from '../../../pkg/outline/ruby.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Ruby. */
export const loadGrammar = outlinesOf(
  'ruby',
  glue,
  () => new URL('../../../pkg/outline/ruby_bg.wasm', import.meta.url),
)
