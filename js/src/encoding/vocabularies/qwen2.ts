import * as glue from '../../../../pkg/encodings/qwen2.js'
import { EncodingModule } from '../module.js'

// The address is literal, so that bundlers find the file.
export const vocabulary = new EncodingModule(
  glue,
  () => new URL('../../../../pkg/encodings/qwen2_bg.wasm', import.meta.url),
)
