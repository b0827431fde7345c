/** Returns the first `units` UTF-16 units of a text, without half of a surrogate pair at the end. */
export function cut(text: string, units: number): string {
  return text.length <= units ? text : text.slice(0, units).replace(/\p{Surrogate}$/u, '')
}

/** Replaces line ends and runs of white space with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
