import * as glue from '../../../pkg/outline/yaml.js'
import { outlinesOf } from '../outlining/grammar.js'

/** YAML. */
export const loadGrammar = outlinesOf(
  'yaml',
  glue,
  () => new URL('../../../pkg/outline/yaml_bg.wasm', import.meta.url),
)
