import type { FileView } from 'trimtab/reading'

/** Lines of a file that a view shows or folds. Both ends are included; the first line is 1. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly isShown: boolean
  /** The section that contains the folded lines; empty if there is none. */
  readonly name: string
}

/**
 * Divides a file into pieces from the first line to the last. Folded lines are grouped by their innermost section.
 * Blank lines between sections stay visible, as nobody would unfold them.
 */
export function piecesOf(
  { ranges, sections }: Pick<FileView, 'ranges' | 'sections'>,
  lines: readonly string[],
): Piece[] {
  const totalLines = lines.length
  const named = namesOf(sections, totalLines)
  const pieces: Piece[] = []
  let next = 1
  for (const { start, end } of [...ranges, { start: totalLines + 1, end: totalLines }]) {
    while (next < start) {
      const name = named[next] ?? ''
      const from = next
      while (next < start && (named[next] ?? '') === name) next++
      const isShown = lines.slice(from - 1, next - 1).every((line) => line.trim() === '')
      pieces.push({ start: from, end: next - 1, isShown, name })
    }
    if (end >= start) pieces.push({ start, end, isShown: true, name: '' })
    next = end + 1
  }
  return pieces
}

/** Returns the innermost section of each line. */
function namesOf(sections: FileView['sections'], totalLines: number): string[] {
  const names: string[] = []
  // Sections are in the order of the file, inner ones after those that contain them.
  for (const { name, startLine, endLine } of sections)
    for (let line = startLine; line <= Math.min(endLine, totalLines); line++) names[line] = name
  return names
}
