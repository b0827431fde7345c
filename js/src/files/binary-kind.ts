import { binaryKind as kindOf } from '../../../pkg/files.js'
import { check } from '../base/check.js'
import { BYTES } from '../base/content.js'
import { files } from '../engine/files.js'
import { HEAD_BYTES } from '../generated/protocol.js'
import type { TextEncoding } from '../generated/types.js'

/** The kind of a binary file (`PNG image`), as detected by `formatRead`; `undefined` for text. */
export function binaryKind(content: unknown, encoding: TextEncoding | '' = ''): string | undefined {
  if (!(content instanceof Uint8Array)) return undefined
  return files.enter(() => kindOf(content.subarray(0, HEAD_BYTES), encoding))
}

/**
 * Like {@link binaryKind}. The engine's wasm bytes are loaded only for bytes, and only if the host has not started the
 * engine from its own file: a bundle that shows text alone does not need them.
 */
export async function binaryKindOf(content: unknown, encoding?: TextEncoding): Promise<string | undefined> {
  if (typeof content === 'string') return undefined
  check('content', content, BYTES)
  if (files.isStarted) return binaryKind(content, encoding)
  const { withFiles } = await import('../engine/with-files.js')
  return withFiles(binaryKind)(content, encoding)
}
