/** A definition of a link, `[label]: target`, to which any part of a text may refer. */
export interface Definition {
  /** How a reference to it ends, in lower case. */
  readonly reference: string
  readonly line: string
}

const DEFINITION = /^ {0,3}(\[[^\]\n]{1,200}\]):[ \t]*\S/

/** Maximum number of definitions that are added to other parts: each is looked for in each part. */
const MOST = 100

/** Returns the definition in a line of Markdown; `null` if it is none. */
export function definitionIn(line: string): Definition | null {
  const reference = DEFINITION.exec(line)?.[1]
  return reference === undefined ? null : { reference: reference.toLowerCase(), line }
}

/** Adds to each part the definitions that it refers to and does not contain. */
export function withDefinitions(parts: readonly string[], definitions: readonly Definition[]): string[] {
  if (definitions.length === 0) return [...parts]
  const known = definitions.slice(0, MOST)
  return parts.map((part) => {
    const words = part.toLowerCase()
    const used = known.filter(({ reference, line }) => words.includes(reference) && !part.includes(line))
    return used.length === 0 ? part : `${part}\n\n${used.map(({ line }) => line).join('\n')}\n`
  })
}
