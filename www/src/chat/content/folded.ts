import type { FileView } from 'trimtab/reading'

/** Lines of a file that a view shows, or that it folds. Both ends are included; the first line is 1. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly isShown: boolean
  /** The section that folded lines are of; empty where they are of none. */
  readonly name: string
}

/**
 * A view from the file's first line to its last: folded lines by the innermost section that they are of. Blank lines between
 * them stay, as nobody would open them.
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

/** Of each line the innermost section around it. */
function namesOf(sections: FileView['sections'], totalLines: number): string[] {
  const names: string[] = []
  // Sections stand in the order of the file, and inner ones behind those that they are in.
  for (const { name, startLine, endLine } of sections)
    for (let line = startLine; line <= Math.min(endLine, totalLines); line++) names[line] = name
  return names
}
