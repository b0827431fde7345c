import * as glue from '../../../pkg/outline/typescript.js'
import { outlinesOf } from '../outlining/grammar.js'

/** TypeScript. */
export const loadGrammar = outlinesOf(
  'typescript',
  glue,
  () => new URL('../../../pkg/outline/typescript_bg.wasm', import.meta.url),
)
