/** Code between two fences that is open. */
export interface Fence {
  /** What opens it, and closes it: at least three characters of one kind. */
  readonly mark: string
  /** Number of characters before it in its line: spaces, and the markers of items that begin with it. */
  readonly indent: number
  /** Whether an item of a list contains it. */
  readonly isListed: boolean
}

/** The lines before a line. */
interface Before {
  readonly fence: Fence | null
  readonly isListed: boolean
  readonly isBehindEmpty: boolean
}

interface ReadFence {
  /** Whether the line is between two fences, or closes the code before it. */
  readonly isCode: boolean
  /** The code that is open after the line; `null` if none is. */
  readonly fence: Fence | null
}

// The info string of code between backticks contains none.
const OPENING = /^((?: *(?:[-*+]|\d{1,9}[.)])(?= ))* *)(`{3,}(?=[^`]*$)|~{3,})/
// As `marked` reads it: both marks may follow.
const CLOSING = /^ *(`{3,}|~{3,})[`~]* *$/

/** Spaces that a fence may have before it, from where its block begins. */
const MOST_SPACES = 3

/** Tells whether a line belongs to code between fences, and what is open behind it. */
export function readFence(line: string, { fence, isListed, isBehindEmpty }: Before): ReadFence {
  if (fence === null) return { isCode: false, fence: openedBy(line, isListed) }
  if (closes(line, fence)) return { isCode: true, fence: null }
  // A line that is not indented ends an item, and the code in it.
  const mayEnd = fence.isListed && line.trim() !== '' && !line.startsWith(' ')
  const opened = mayEnd ? openedBy(line, false) : null
  const isOver = opened !== null || (mayEnd && isBehindEmpty)
  return { isCode: !isOver, fence: isOver ? opened : fence }
}

function openedBy(line: string, isListed: boolean): Fence | null {
  const [, before, mark] = OPENING.exec(line) ?? []
  if (before === undefined || mark === undefined) return null
  const begins = before.trim() !== ''
  const isIndentedCode = !begins && !isListed && before.length > MOST_SPACES
  return isIndentedCode
    ? null
    : { mark, indent: before.length, isListed: begins || (isListed && before !== '') }
}

function closes(line: string, { mark, indent }: Fence): boolean {
  const spaces = line.length - line.trimStart().length
  return CLOSING.exec(line)?.[1]?.startsWith(mark) === true && spaces <= indent + MOST_SPACES
}
