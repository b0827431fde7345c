import { parseRead } from '../timeline/read-text.js'
import type { CutResult } from './cut-results.js'
import type { FileIndex } from './file-index.js'
import type { IndexSection } from './types.js'

/** The lines that a read showed, with their numbers in the file. */
export interface ReadLines {
  path: string
  lines: string[]
  numbers: number[]
}

/** The lines of a read's result; `undefined` where they cannot be told for certain. */
export function linesOfRead(text: string, asked: CutResult): ReadLines | undefined {
  const { path, startLine, endLine } = asked
  const read = parseRead(text, { path, startLine, endLine })
  if (read === undefined) return undefined
  const lines = read.fragments.flatMap((fragment) => fragment.lines)
  const numbers = read.fragments.flatMap(({ start, lines }) => lines.map((_, at) => start + at))
  return { path, lines, numbers }
}

/**
 * The sections of the file that a read showed, by their places among its lines, where the index has the file as it was
 * read: else nothing is known of what was read then.
 */
export function sectionsOfRead(read: ReadLines, index: FileIndex): IndexSection[] | undefined {
  const known = index.lines(read.path)
  if (known === undefined) return undefined
  const isSame = read.lines.every((line, at) => known[(read.numbers[at] as number) - 1] === line)
  if (!isSame) return undefined
  const places = new Map(read.numbers.map((number, at) => [number, at + 1]))
  return index.sections(read.path)?.flatMap((section) => {
    const startLine = places.get(section.startLine)
    return startLine === undefined ? [] : [{ ...section, startLine, endLine: startLine }]
  })
}
