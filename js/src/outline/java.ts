import * as glue from '../../../pkg/outline/java.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Java. */
export const loadGrammar = outlinesOf(
  'java',
  glue,
  () => new URL('../../../pkg/outline/java_bg.wasm', import.meta.url),
)
