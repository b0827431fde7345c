import { check } from '../base/check.js'
import { BYTES } from '../base/content.js'
import { files } from '../engine/files.js'
import { binaryKind } from '../files/binary-kind.js'
import type { TextEncoding } from '../generated/types.js'

/**
 * What a file is that is no text. The engine's bytes are not for those who show texts alone: they come when bytes are
 * judged, and not where a host has started the engine from a file of its own.
 */
export async function binaryKindOf(content: unknown, encoding?: TextEncoding): Promise<string | undefined> {
  if (typeof content === 'string') return undefined
  check('content', content, BYTES)
  if (files.isStarted) return binaryKind(content, encoding)
  const { withFiles } = await import('../engine/with-files.js')
  return withFiles(binaryKind)(content, encoding)
}

/** The words for it, where lines are asked for. */
export const BINARY = (path: string, kind: string): string =>
  `${path} is binary (${kind}) and has no lines: formatRead says what it is`
