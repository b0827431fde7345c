import * as glue from '../../../pkg/outline/tsx.js'
import { outlinesOf } from '../outlining/grammar.js'

/** TypeScript with JSX. */
export const loadGrammar = outlinesOf(
  'tsx',
  glue,
  () => new URL('../../../pkg/outline/tsx_bg.wasm', import.meta.url),
)
