import type { Digest } from './types.js'

/** A run of lines: the first and the last, from 1. */
export interface LineRun {
  startLine: number
  endLine: number
}

/** Numbers lines and writes `...` for those left out. `numberOf` returns the line number for a position, from 1. */
export function numberedLines(
  lines: readonly string[],
  runs: readonly LineRun[],
  numberOf: (position: number) => number = (position) => position,
): string {
  const shown: string[] = []
  let next = 1
  for (const { startLine, endLine } of runs) {
    if (startLine > next) shown.push('...')
    for (let line = startLine; line <= endLine; line++) {
      shown.push(`${String(numberOf(line)).padStart(4)} | ${lines[line - 1]}`)
    }
    next = endLine + 1
  }
  if (next <= lines.length) shown.push('...')
  return shown.join('\n')
}

/** Number of lines in the runs. */
export function lengthOf(runs: readonly LineRun[]): number {
  return runs.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0)
}

/** Decodes runs as the engine returns them: first and last line of each. */
export function runsFrom(numbers: ArrayLike<number>): LineRun[] {
  return Array.from({ length: numbers.length / 2 }, (_, at) => ({
    startLine: numbers[2 * at] as number,
    endLine: numbers[2 * at + 1] as number,
  }))
}

/** Builds a digest, with the header that document "Unified read_file" gives to shortened files. */
export function digestOf(path: string, lines: readonly string[], ranges: LineRun[]): Digest {
  const shownLines = lengthOf(ranges)
  const percentage = lines.length === 0 ? 100 : (100 * shownLines) / lines.length
  const head = `File: ${path} (digest)\nTotal lines: ${lines.length} | Preserved: ${shownLines} (${percentage.toFixed(1)}%)`
  const text = lines.length === 0 ? head : `${head}\n${numberedLines(lines, ranges)}`
  return { path, text, ranges, totalLines: lines.length, shownLines }
}
