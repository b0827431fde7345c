import { withMethods } from '../base/check.js'
import { textOf } from '../base/content.js'
import type { TextEncoding } from '../generated/types.js'
import type { OutlineSection } from '../outline/types.js'
import { binaryKindOf } from './binary.js'

/** Indexes files that were read, as a whole: a `FileIndex` of `trimtab/index`, or an object with the same methods. */
export interface ReadIndex {
  /** Takes a file, or what became of it. It is awaited. */
  add(file: {
    path: string
    content: string | Uint8Array
    sections?: readonly OutlineSection[]
    ephemeral?: boolean
  }): unknown
  /** Whether it has a file of this path. */
  has(path: string): boolean
  /** Forgets a file. */
  remove(path: string): unknown
}

/** A file that was read but is not in the index, and why. The read itself is not affected. */
export interface NotIndexed {
  path: string
  reason: 'binary' | 'too_large' | 'failed'
  /** In words; where the index failed, its own. */
  message: string
}

/** A file that was read, whole. */
export interface IndexedFile {
  path: string
  content: string | Uint8Array
  /** Of bytes that do not say it themselves. */
  encoding?: TextEncoding | undefined
  sections?: readonly OutlineSection[] | undefined
  /** Whether the content is to leave the conversation after its turn: the index then stays as it is. */
  ephemeral?: boolean | undefined
}

/** Bytes, or UTF-16 units of a text. Larger files are data, and would take longer to index than to read. */
export const MOST_INDEXED = 1 << 20

/** An index of what is read. */
export const INDEX = withMethods<ReadIndex>(
  'an index with add, has and remove: createIndex() of trimtab/index',
  'add',
  'has',
  'remove',
)

/** Adds what was read to an index. An index that fails is said, never thrown. */
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
    // What it was before is not what it is now.
    if (index.has(path)) await index.remove(path)
    return { path, ...reason }
  } catch (error) {
    return { path, reason: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

async function unfitFor({
  content,
  encoding,
}: IndexedFile): Promise<Pick<NotIndexed, 'reason' | 'message'> | undefined> {
  const kind = await binaryKindOf(content, encoding)
  if (kind !== undefined) return { reason: 'binary', message: `it is binary (${kind})` }
  if (content.length <= MOST_INDEXED) return undefined
  return { reason: 'too_large', message: `it is larger than ${MOST_INDEXED} bytes` }
}
