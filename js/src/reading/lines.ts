import { refuseWith } from '../base/check.js'
import { type Decoded, decoded, withoutMark } from '../base/content.js'
import { linesOf as linesOfText } from '../base/lines.js'
import { wellFormed } from '../base/text.js'
import { binaryKindOf } from '../files/binary-kind.js'
import type { TextEncoding } from '../generated/types.js'

/** A file that was given as text or bytes, by its lines. */
export interface FileOfLines extends Decoded {
  path: string
  lines: readonly string[]
}

/** @throws {TrimtabError} `invalid_option` for a binary file; as `decoded`. */
export async function fileOfLines({ path, content, encoding }: GivenFile): Promise<FileOfLines> {
  const kind = await binaryKindOf(content, encoding)
  if (kind !== undefined)
    refuseWith(
      'content',
      `${wellFormed(path)} is binary (${kind}) and has no lines: formatRead says what it is`,
    )
  const { text, malformed } = decoded(content, encoding)
  return { path, text, malformed, lines: linesOf(text) }
}

interface GivenFile {
  path: string
  content: string | Uint8Array
  encoding?: TextEncoding | undefined
}

/** Lines of a file without their line ends and without a byte order mark. */
export function linesOf(text: string): string[] {
  return linesOfText(withoutMark(text))
}
