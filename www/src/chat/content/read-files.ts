import type { FileLines } from 'trimtab'
import { type NumberedLine, numberedLines } from './numbered-lines.js'

/** The part of a file that a read returned: its lines, and the number of the first one. */
export interface ReadPart {
  readonly path: string
  readonly first: number
  readonly lines: readonly string[]
}

/** Minimum number of lines: shorter reads need no other view. */
const FEW_LINES = 8
/** Maximum length of a result in characters: analysing a larger one would block the page. */
const LARGEST = 150_000

/**
 * Returns the files in a read's result if each is there in one piece. In a shortened read the line numbers have gaps,
 * and an outline of the rest would misrepresent the file.
 */
export function readFilesOf(result: string, files: readonly Pick<FileLines, 'path'>[]): readonly ReadPart[] {
  if (result.length > LARGEST) return []
  const runs = runsOf(numberedLines(result))
  if (runs.length !== files.length || runs.some(({ lines }) => lines.length < FEW_LINES)) return []
  return runs.map((run, at) => ({ path: files[at]?.path ?? '', ...run }))
}

function runsOf(lines: readonly NumberedLine[]): { first: number; lines: string[] }[] {
  const runs: { first: number; lines: string[] }[] = []
  for (const { number, text } of lines) {
    if (number === '') continue
    const run = runs.at(-1)
    if (run !== undefined && run.first + run.lines.length === Number(number)) run.lines.push(text)
    else runs.push({ first: Number(number), lines: [text] })
  }
  return runs
}
