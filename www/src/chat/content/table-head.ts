const DELIMITERS = /^\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/

/** Returns the first two lines of the table that starts at an index, with their line feeds; empty if none does. */
export function tableHead(text: string, at: number): string {
  if (text[at] !== '|') return ''
  const first = text.indexOf('\n', at) + 1
  const second = first === 0 ? 0 : text.indexOf('\n', first) + 1
  if (second === 0) return ''
  const [names, delimiters] = [text.slice(at, first), text.slice(first, second)]
  const isHead = DELIMITERS.test(delimiters.trimEnd()) && columns(names) === columns(delimiters)
  return isHead ? names + delimiters : ''
}

const columns = (line: string) => line.replaceAll('\\|', '').split('|').length
