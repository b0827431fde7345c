import * as glue from '../../../pkg/outline/go.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Go. */
export const loadGrammar = outlinesOf(
  'go',
  glue,
  () => new URL('../../../pkg/outline/go_bg.wasm', import.meta.url),
)
