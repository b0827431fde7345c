import * as glue from '../../../../pkg/encodings/deepseek_v3.js'
import { EncodingModule } from '../module.js'

// The address is literal, so that bundlers find the file.
export const vocabulary = new EncodingModule(
  glue,
  () => new URL('../../../../pkg/encodings/deepseek_v3_bg.wasm', import.meta.url),
)
