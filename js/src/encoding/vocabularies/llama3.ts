import * as glue from '../../../../pkg/encodings/llama3.js'
import { EncodingModule } from '../module.js'

// The address is literal, so that bundlers find the file.
export const vocabulary = new EncodingModule(
  glue,
  () => new URL('../../../../pkg/encodings/llama3_bg.wasm', import.meta.url),
)
