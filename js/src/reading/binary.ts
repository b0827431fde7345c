import { check } from '../base/check.js'
import { BYTES } from '../base/content.js'
import { files } from '../engine/files.js'
import { binaryKind } from '../files/binary-kind.js'
import type { TextEncoding } from '../generated/types.js'

/**
 * Detects the kind of a binary file; `undefined` for text. The engine's wasm bytes are loaded only for bytes, and only
 * if the host has not started the engine from its own file: a bundle that shows text alone does not need them.
 */
export async function binaryKindOf(content: unknown, encoding?: TextEncoding): Promise<string | undefined> {
  if (typeof content === 'string') return undefined
  check('content', content, BYTES)
  if (files.isStarted) return binaryKind(content, encoding)
  const { withFiles } = await import('../engine/with-files.js')
  return withFiles(binaryKind)(content, encoding)
}
