import * as glue from '../../../pkg/outline/csharp.js'
import { outlinesOf } from '../outlining/grammar.js'

/** C#. */
export const loadGrammar = outlinesOf(
  'csharp',
  glue,
  () => new URL('../../../pkg/outline/csharp_bg.wasm', import.meta.url),
)
