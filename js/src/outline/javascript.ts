import * as glue from '../../../pkg/outline/javascript.js'
import { outlinesOf } from '../outlining/grammar.js'

/** JavaScript, with JSX. */
export const loadGrammar = outlinesOf(
  'javascript',
  glue,
  () => new URL('../../../pkg/outline/javascript_bg.wasm', import.meta.url),
)
