import { binaryKind as kindOf } from '../../../pkg/files.js'
import { files } from '../engine/files.js'
import type { TextEncoding } from '../generated/types.js'

/** As many bytes as the engine looks at. */
const HEAD_BYTES = 8000

/** What a file is that is no text (`PNG image`), as `formatRead` judges it; `undefined` for text. */
export function binaryKind(content: unknown, encoding: TextEncoding | '' = ''): string | undefined {
  if (!(content instanceof Uint8Array)) return undefined
  return files.enter(() => kindOf(content.subarray(0, HEAD_BYTES), encoding))
}
