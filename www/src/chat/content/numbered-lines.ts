/** A line of a file as a read tool shows it; what is no line of a file has no number. */
export interface NumberedLine {
  readonly number: string
  readonly text: string
}

const NUMBERED = /^\s*(\d+)(?:\t|→|\||: )(.*)$/s

/** The lines of a read's result. */
export function numberedLines(result: string): NumberedLine[] {
  return result.split('\n').map((line) => {
    const [, number, text] = NUMBERED.exec(line) ?? []
    return number === undefined || text === undefined ? { number: '', text: line } : { number, text }
  })
}
