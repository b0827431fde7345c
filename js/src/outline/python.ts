import * as glue from '../../../pkg/outline/python.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Python. */
export const loadGrammar = outlinesOf(
  'python',
  glue,
  () => new URL('../../../pkg/outline/python_bg.wasm', import.meta.url),
)
