import type { OutlineSection } from '../outline/types.js'

/** A line that begins a decorator (`@cached`) or an attribute (`#[inline]`, `[Test]`). */
const DECORATES = /^\s*(?:@|#?\[)/

/** A trimmed line of decorators, attributes and comments only: a name in it is not the name of the definition. */
const ANNOTATION = /^(?:@[\w.]+(?:\(.*\))?|#?\[.*\]|(?:\/\/|\/\*|\*|# ).*)$/s

/** Maximum lines of decorators above a signature. Below them, the first line of the section counts. */
const MAX_ABOVE = 100

/** Returns the line of a definition's signature: its first line, or the line with its name below its decorators. */
function signatureLine({ name, startLine, endLine }: OutlineSection, lines: readonly string[]): number {
  if (!DECORATES.test(lines[startLine - 1] ?? '')) return startLine
  const last = Math.min(endLine, startLine + MAX_ABOVE)
  for (let number = startLine; number <= last; number++) {
    const line = lines[number - 1] ?? ''
    if (line.includes(name) && !ANNOTATION.test(line.trim())) return number
  }
  return startLine
}

/**
 * Returns a counter of the definitions whose signatures are left out with lines of a file.
 *
 * The ranges of lines are passed from first to last.
 */
export function definitionCounter(
  sections: readonly OutlineSection[],
  lines: readonly string[],
): (first: number, last: number) => number {
  const signatures = sections
    .map((section) => ({ ...section, line: signatureLine(section, lines) }))
    .sort((one, other) => one.line - other.line)
  let at = 0
  return (first, last) => {
    let definitions = 0
    let counted = { depth: Number.POSITIVE_INFINITY, endLine: 0 }
    for (; at < signatures.length; at++) {
      const definition = signatures[at] as (typeof signatures)[number]
      if (definition.line > last) break
      // Sections nested in one that is left out are not counted. One that begins in its last line may stand beside it.
      const isNested = definition.depth > counted.depth && definition.line <= counted.endLine
      if (definition.line < first || isNested) continue
      definitions++
      counted = definition
    }
    return definitions
  }
}
