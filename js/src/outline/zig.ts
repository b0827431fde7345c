import * as glue from '../../../pkg/outline/zig.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Zig. */
export const loadGrammar = outlinesOf(
  'zig',
  glue,
  () => new URL('../../../pkg/outline/zig_bg.wasm', import.meta.url),
)
