import * as glue from '../../../pkg/outline/rust.js'
import { outlinesOf } from '../outlining/grammar.js'

/** Rust. */
export const loadGrammar = outlinesOf(
  'rust',
  glue,
  () => new URL('../../../pkg/outline/rust_bg.wasm', import.meta.url),
)
