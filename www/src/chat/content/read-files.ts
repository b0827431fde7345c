import type { FileLines } from 'trimtab'
import { type NumberedLine, numberedLines } from './numbered-lines.js'

/** What a read showed of a file: its lines, the first of them with this number. */
export interface ReadPart {
  readonly path: string
  readonly first: number
  readonly lines: readonly string[]
}

/** Shorter ones are seen at a glance. */
const FEW_LINES = 8
/** Larger ones would hold the page up while they are looked through, in characters. */
const LARGEST = 150_000

/**
 * The files that a read's result shows, where each of them is there in one piece: what was shortened when it was read has
 * numbers that jump, and a structure of its rest would say what the file does not.
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
