import { binaryKind as kindOf } from '../../../pkg/files.js'
import { files } from '../engine/files.js'
import { HEAD_BYTES } from '../generated/protocol.js'
import type { TextEncoding } from '../generated/types.js'

/** The kind of a binary file (`PNG image`), as detected by `formatRead`; `undefined` for text. */
export function binaryKind(content: unknown, encoding: TextEncoding | '' = ''): string | undefined {
  if (!(content instanceof Uint8Array)) return undefined
  return files.enter(() => kindOf(content.subarray(0, HEAD_BYTES), encoding))
}
