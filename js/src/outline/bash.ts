import * as glue from '../../../pkg/outline/bash.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Bash and other POSIX shells. */
export const loadGrammar = outlinesOf(
  'bash',
  glue,
  () => new URL('../../../pkg/outline/bash_bg.wasm', import.meta.url),
)
