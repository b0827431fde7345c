import * as glue from '../../../../pkg/encodings/o200k_base.js'
import { EncodingModule } from '../module.js'

// The address is literal, so that bundlers find the file.
export const vocabulary = new EncodingModule(
  glue,
  () => new URL('../../../../pkg/encodings/o200k_base_bg.wasm', import.meta.url),
)
