/** The beginning of a text, without half of a surrogate pair at its end. */
export function cut(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/\p{Surrogate}$/u, '')
}

/** A text with its line ends and runs of blanks as single blanks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
