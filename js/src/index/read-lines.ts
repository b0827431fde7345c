import { parseRead } from '../timeline/read-text.js'
import type { CutResult } from './cut-results.js'
import type { FileIndex } from './file-index.js'
import type { IndexSection } from './types.js'

/** Lines shown by a read, with their numbers in the file. */
export interface ReadLines {
  path: string
  lines: string[]
  numbers: number[]
}

/** Returns the lines of a read's result; `undefined` if they cannot be determined with certainty. */
export function linesOfRead(text: string, asked: CutResult): ReadLines | undefined {
  const { path, startLine, endLine } = asked
  const read = parseRead({ text }, { path, startLine, endLine })
  if (read === undefined) return undefined
  const lines = read.fragments.flatMap((fragment) => fragment.lines)
  const numbers = read.fragments.flatMap(({ start, lines }) => lines.map((_, at) => start + at))
  return { path, lines, numbers }
}

/**
 * Returns the file's sections that a read showed, as positions among its lines. `undefined` if the index does not have
 * the file as it was read: its sections are then those of another version.
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
