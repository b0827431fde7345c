import { MAX_LINE_LENGTH } from '../generated/protocol.js'
import type { OutlineSection, SectionKind } from '../outline/types.js'

/** A line of decorators (`@cached`) or attributes (`#[inline]`, `[Test]`) only, if its brackets are closed. */
const DECORATES = /^(?:@[\w.]+|@[\w.]+\(.*\)|#?\[.*\])(?:\s*(?:\/\/|#).*)?$/s

/** A line that begins a decorator or an attribute. It ends in a later line if a bracket is open. */
const BEGINS = /^(?:@[\w.]+\(|#?\[)/

/** A line between decorators that is blank or a comment. */
const COMMENTS = /^(?:$|\/\/|\/\*|\*|# )/

/** A string, up to the end of its line if it is not closed: each character is looked at once. */
const STRING = /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/gs

/** A line of a template of C++ above its name: `template <typename T>`, `static inline box<T>&`. */
const TEMPLATE = /^[\w\s:<>,*&]+$/

/** Kinds of sections that have no decorators: the brackets of `[table]` and the `#` of `# Heading` are their own. */
const UNDECORATED: ReadonlySet<SectionKind> = new Set(['block', 'element', 'heading', 'key', 'rule', 'table'])

/** Maximum lines of decorators and of a template above a name. If there are more, the first line of the section counts. */
const MAX_ABOVE = 1000
const MAX_TEMPLATE = 5

/** Returns the line of a definition's signature: its first line, or the one below its decorators and its template. */
export function signatureLine(section: OutlineSection, lines: readonly string[]): number {
  const first = lines[section.startLine - 1] ?? ''
  // Of a very long line, each of its sections would look at all.
  if (UNDECORATED.has(section.kind) || first.length > MAX_LINE_LENGTH) return section.startLine
  const below = belowDecorators(section, lines)
  if (!/^\s*template\b/.test(lines[below - 1] ?? '')) return below
  const name = section.name.split(/[:.]/).at(-1) ?? ''
  for (let number = below; number <= below + MAX_TEMPLATE; number++) {
    const line = lines[number - 1] ?? ''
    if (line.includes(name)) return number
    if (!TEMPLATE.test(line)) break
  }
  return below
}

function belowDecorators({ startLine, endLine }: OutlineSection, lines: readonly string[]): number {
  const last = Math.min(endLine, startLine + MAX_ABOVE)
  let open = 0
  for (let number = startLine; number <= last; number++) {
    const line = (lines[number - 1] ?? '').trim()
    const isWithin = open > 0
    if (!isWithin && number > startLine && COMMENTS.test(line)) continue
    open += openBrackets(line)
    const isDecorator = isWithin || (open === 0 ? DECORATES : BEGINS).test(line)
    if (!isDecorator) return number
  }
  return startLine
}

/** Number of round and square brackets that a line opens and does not close. */
function openBrackets(line: string): number {
  let open = 0
  for (const letter of line.replace(STRING, '')) {
    if (letter === '(' || letter === '[') open++
    if (letter === ')' || letter === ']') open--
  }
  return open
}

/** A definition by the line of its signature. */
export interface Signature {
  line: number
  endLine: number
  depth: number
}

/** Returns the signatures of definitions in the order of their lines. */
export function signaturesOf(sections: readonly OutlineSection[], lines: readonly string[]): Signature[] {
  return sections
    .map((section) => ({
      line: signatureLine(section, lines),
      endLine: section.endLine,
      depth: section.depth,
    }))
    .sort((one, other) => one.line - other.line)
}

/**
 * Returns a counter of the definitions whose signatures are left out with lines of a file.
 *
 * The ranges of lines are passed from first to last.
 */
export function definitionCounter(signatures: readonly Signature[]): (first: number, last: number) => number {
  let at = 0
  return (first, last) => {
    let definitions = 0
    let counted: Signature | undefined
    for (; at < signatures.length; at++) {
      const definition = signatures[at] as Signature
      if (definition.line > last) break
      if (definition.line < first || isNested(definition, counted)) continue
      definitions++
      counted = definition
    }
    return definitions
  }
}

/** What is nested in a definition that is left out is not counted. What begins in its last line may stand beside it. */
const isNested = (definition: Signature, counted: Signature | undefined): boolean =>
  counted !== undefined && definition.depth > counted.depth && definition.line <= counted.endLine
