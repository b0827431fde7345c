/** A line of a file in the result of a read tool; other lines have an empty number. */
export interface NumberedLine {
  readonly number: string
  readonly text: string
}

const NUMBERED = /^\s*(\d+)(?:\t|→|\||: )(.*)$/s

/** Returns the lines of a read's result. */
export function numberedLines(result: string): NumberedLine[] {
  return result.split('\n').map((line) => {
    const [, number, text] = NUMBERED.exec(line) ?? []
    return number === undefined || text === undefined ? { number: '', text: line } : { number, text }
  })
}
