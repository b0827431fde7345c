import { type Definition, definitionIn, withDefinitions } from './link-definitions.js'
import { tableHead } from './table-head.js'

/** Minimum length of a part, in characters: shorter ones do not justify an element. */
const SHORTEST = 2000

/** Length from which a list or table is continued in the next part, in characters: more takes longer than a frame. */
const LONG = 8000

const FENCE = /^ {0,3}(?:```|~~~)/
/** A line that no list, quote or table before it can contain, after an empty line. */
const STARTS_ANEW = /^(?:\p{L}|#{1,6} |```|~~~)/u
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /

/**
 * Divides Markdown at paragraphs, headings and code that follow an empty line, and at lists that follow one of these.
 * While it streams, all parts but the last are final, so that each is rendered once and not with every word. Does not
 * divide where the text may belong to what precedes it, as in quotes and code. Only long lists and tables are divided:
 * at an item that carries on the numbers, and between rows, with the head repeated. Definitions of links are added to
 * the parts that refer to them.
 */
export function finishedParts(text: string): string[] {
  const parts: string[] = []
  const definitions: Definition[] = []
  let [from, at] = [0, 0]
  let isCode = false
  let isBehindEmpty = true
  /** Whether the next line may belong to a list, quote or table. */
  let isWithin = false
  /** Whether the line before is a definition, or empty. */
  let mayDefine = true
  /** The marker of the last item of the list that contains the next line; empty outside of a list. */
  let item = ''
  /** The head of the table that contains the next line; empty outside of a table. */
  let head = ''
  /** The head of the table that the part continues. */
  let repeated = ''
  const divide = (before = '') => {
    parts.push(repeated + text.slice(from, at))
    from = at
    repeated = before
  }
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === ''
    const marker = isCode ? '' : (ITEM.exec(line)?.[0] ?? '')
    if (!isCode && isBehindEmpty) {
      const isNew = STARTS_ANEW.test(line)
      if (at - from >= SHORTEST && (isNew || (!isWithin && marker !== ''))) divide()
      if (!isEmpty && (isNew || !isWithin)) item = ''
      if (!isEmpty) isWithin = !isNew
    } else if (marker !== '') isWithin = true
    if (at - from >= LONG && goesOn(item, marker)) divide()
    else if (at - from >= LONG && head !== '' && line.startsWith('|')) divide(head)
    if (marker !== '' && (item !== '' || isBehindEmpty)) item = marker
    if (isCode || isEmpty) head = ''
    else if (isBehindEmpty) head = tableHead(text, at)
    const definition: Definition | null = !isCode && mayDefine ? definitionIn(line) : null
    if (definition !== null) definitions.push(definition)
    mayDefine = isEmpty || definition !== null
    if (FENCE.test(line)) isCode = !isCode
    isBehindEmpty = isEmpty
    at += line.length + 1
  }
  const last = repeated + text.slice(from)
  const finished = withDefinitions(parts, definitions)
  // Nothing can be added to code that has no end yet.
  return isCode ? [...finished, last] : [...finished, ...withDefinitions([last], definitions)]
}

/** Whether an item continues the list of an item before it, also if it is in a list of its own. */
function goesOn(before: string, next: string): boolean {
  if (before === '' || next === '') return false
  const [last, number] = [Number.parseInt(before, 10), Number.parseInt(next, 10)]
  return Number.isNaN(last) ? before === next : number === last + 1
}
