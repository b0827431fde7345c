import * as glue from '../../../pkg/outline/cpp.js'
import { outlinesOf } from '../outlining/grammar.js'

/** C++. */
export const loadGrammar = outlinesOf(
  'cpp',
  glue,
  () => new URL('../../../pkg/outline/cpp_bg.wasm', import.meta.url),
)
