import { check } from '../base/check.js'
import type { FormatOptions } from '../history/types.js'
import { INDEX, indexRead, MOST_INDEXED, type NotIndexed, type ReadIndex } from '../reading/read-index.js'
import { type FileState, fileStates } from './file-state.js'

/** A file that a history's reads and writes tell of. */
export interface IndexedRead {
  /** As the first call names it. */
  path: string
  /** How well it is known: `fileStateAt`. */
  certainty: Exclude<FileState['certainty'], 'unknown'>
  /** How many of its lines are known. */
  knownLines: number
  /** Why it is not in the index. */
  notIndexed?: NotIndexed
}

/**
 * Fills an index with what a history's reads and writes hold: for hosts with tools of their own, and after a session was
 * loaded. Of files that are known in part, each known line stands under its number, with empty lines between. Ephemeral
 * results are not used. What the index has already is not worked out again.
 *
 * @param index `createIndex()` of `trimtab/index`. One that fails is said, not thrown.
 * @throws {TrimtabError} `invalid_option`; as `project`.
 */
export async function indexReads(
  index: ReadIndex,
  messages: readonly object[],
  options: FormatOptions = {},
): Promise<IndexedRead[]> {
  check('index', index, INDEX)
  const indexed: IndexedRead[] = []
  for (const state of fileStates(messages, options)) {
    const { path, certainty, content, lines } = state
    if (certainty === 'unknown') continue
    const knownLines = lines.reduce((sum, { end, start }) => sum + end - start + 1, 0)
    const whole = content ?? withGaps(state)
    const notIndexed = whole === undefined ? tooLong(path) : await indexRead(index, { path, content: whole })
    indexed.push({ path, certainty, knownLines, ...(notIndexed && { notIndexed }) })
  }
  return indexed
}

const tooLong = (path: string): NotIndexed => ({
  path,
  reason: 'too_large',
  message: `it has more than ${MOST_INDEXED} lines`,
})

/** What is known of a file, each line at its place; `undefined` where that would be mostly gaps. */
function withGaps({ lines }: FileState): string | undefined {
  if ((lines.at(-1)?.end ?? 0) > MOST_INDEXED) return undefined
  let next = 1
  return lines
    .map(({ end, start, text }) => {
      const gap = '\n'.repeat(start - next)
      next = end + 1
      return `${gap}${text}\n`
    })
    .join('')
}
