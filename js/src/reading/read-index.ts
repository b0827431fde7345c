import { withMethods } from '../base/check.js'
import { textOf } from '../base/content.js'
import { reasonOf } from '../base/error.js'
import { binaryKindOf } from '../files/binary-kind.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineSection } from '../outline/types.js'

/** An index for whole files that were read: a `FileIndex` of `trimtab/index`, or an object with the same methods. */
export interface ReadIndex {
  /** Adds a file, or replaces its earlier version. The result is awaited. */
  add(file: {
    path: string
    content: string | Uint8Array
    sections?: readonly OutlineSection[]
    ephemeral?: boolean
  }): unknown
  /** Whether the index has a file with this path. */
  has(path: string): boolean
  /** Removes a file. */
  remove(path: string): unknown
}

/** A file that was read but is not in the index, and why. The read itself is not affected. */
export interface NotIndexed {
  path: string
  reason: 'binary' | 'too_large' | 'failed'
  /** The reason in words; for `failed`, the index's error message. */
  message: string
}

/** A whole file that was read. */
export interface IndexedFile {
  path: string
  content: string | Uint8Array
  /** Encoding of bytes without a byte order mark. */
  encoding?: TextEncoding | undefined
  sections?: readonly OutlineSection[] | undefined
  /** Whether the content leaves the conversation after its turn. The index then stays unchanged. */
  ephemeral?: boolean | undefined
}

/** Limit in bytes, or UTF-16 units of a text. Larger files are data, and take longer to index than to read. */
export const MOST_INDEXED = 1 << 20

/** Check for an index option. */
export const INDEX = withMethods<ReadIndex>(
  'an index with add, has and remove: createIndex() of trimtab/index',
  'add',
  'has',
  'remove',
)

/** Adds a read file to an index. Errors of the index are returned, never thrown. */
export async function indexRead(index: ReadIndex, file: IndexedFile): Promise<NotIndexed | undefined> {
  const { path, encoding, sections = [], ephemeral = false } = file
  if (ephemeral) return undefined
  try {
    const reason = await unfitFor(file)
    if (reason === undefined) {
      const content = encoding === undefined ? file.content : textOf(file.content, encoding)
      await index.add({ path, content, ...(sections.length > 0 && { sections }) })
      return undefined
    }
    // The index must not keep an outdated version.
    if (index.has(path)) await index.remove(path)
    return { path, ...reason }
  } catch (error) {
    return { path, reason: 'failed', message: reasonOf(error) }
  }
}

async function unfitFor({
  content,
  encoding,
}: IndexedFile): Promise<Pick<NotIndexed, 'reason' | 'message'> | undefined> {
  const kind = await binaryKindOf(content, encoding)
  if (kind !== undefined) return { reason: 'binary', message: `it is binary (${kind})` }
  if (content.length <= MOST_INDEXED) return undefined
  const unit = typeof content === 'string' ? 'UTF-16 units' : 'bytes'
  return { reason: 'too_large', message: `it is larger than ${MOST_INDEXED} ${unit}` }
}
