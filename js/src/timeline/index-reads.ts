import { check } from '../base/check.js'
import type { FormatOptions } from '../history/types.js'
import { INDEX, indexRead, MOST_INDEXED, type NotIndexed, type ReadIndex } from '../reading/read-index.js'
import { type FileState, fileStates } from './file-state.js'

/** A file found in a history's reads and writes. */
export interface IndexedRead {
  /** Path as in the first call that names it. */
  path: string
  /** How much of it is known: see `fileStateAt`. */
  certainty: Exclude<FileState['certainty'], 'unknown'>
  /** Number of its known lines. */
  knownLines: number
  /** Why it was not added to the index. */
  notIndexed?: NotIndexed
}

/**
 * Fills an index from the reads and writes in a history: for hosts with their own tools, and after a session was
 * loaded. Of a partly known file, each known line keeps its number, with empty lines in between. Ephemeral results are
 * not used. Files that the index already has are not processed again.
 *
 * @param index `createIndex()` of `trimtab/index`. Its errors are returned, not thrown.
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

/**
 * Known lines of a file, each at its line number; `undefined` if the last line number exceeds {@link MOST_INDEXED}: the
 * text would be mostly gaps.
 */
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
