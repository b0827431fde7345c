import { type Fence, readFence } from './fences.js'
import { type Definition, definitionIn, withDefinitions } from './link-definitions.js'
import { tableHead } from './table-head.js'

/** Minimum length of a part, in characters: shorter ones do not justify an element. */
const SHORTEST = 2000

/** Length from which a list or table is continued in the next part, in characters: more takes longer than a frame. */
const LONG = 8000

/** A line that no list, quote or table before it can contain, after an empty line. */
const STARTS_ANEW = /^(?:\p{L}|#{1,6} )/u
const ITEM = /^(?:[-*+]|\d{1,9}[.)]) /

/** What the lines before a line say about it. */
interface Place {
  /** The code that contains the line, or that it closes. */
  readonly fence: Fence | null
  readonly isBehindEmpty: boolean
  /** Whether the line may belong to a list, quote or table. */
  readonly isWithin: boolean
  /** Whether the line before is a definition, or empty. */
  readonly mayDefine: boolean
  /** The marker of the last item of the list that contains the line; empty outside of a list. */
  readonly item: string
  /** The head of the table that contains the line; empty outside of a table. */
  readonly head: string
}

const START: Place = {
  fence: null,
  isBehindEmpty: true,
  isWithin: false,
  mayDefine: true,
  item: '',
  head: '',
}

interface Line {
  readonly text: string
  readonly isEmpty: boolean
  readonly isCode: boolean
  /** The code that is open after it. */
  readonly fence: Fence | null
  /** Its marker, if it is an item of a list. */
  readonly marker: string
  /** Whether no list, quote or table before it can contain it. */
  readonly isNew: boolean
  /** The marker of the item before it in its list; empty if it starts one, or is outside. */
  readonly item: string
  readonly definition: Definition | null
}

/**
 * Divides Markdown at paragraphs and headings that follow an empty line, at code, and at lists that follow one of these.
 * While it streams, all parts but the last are final, so that each is rendered once and not with every word. Does not
 * divide where the text may belong to what precedes it, as in quotes and code. Only long lists and tables are divided:
 * at an item that carries on the numbers, and between rows, with the head repeated. Definitions of links are added to
 * the parts that refer to them.
 */
export function finishedParts(text: string): string[] {
  const parts: string[] = []
  const definitions: Definition[] = []
  let [from, at] = [0, 0]
  let place = START
  /** The head of the table that the part continues. */
  let repeated = ''
  for (const next of text.split('\n')) {
    const line = readLine(next, place)
    const head = headOfNext(line, place, at - from)
    if (head !== null) {
      parts.push(repeated + text.slice(from, at))
      from = at
      repeated = head
    }
    if (line.definition !== null) definitions.push(line.definition)
    place = after(line, place, () => tableHead(text, at))
    at += next.length + 1
  }
  const last = repeated + text.slice(from)
  const finished = withDefinitions(parts, definitions)
  // Nothing can be added to code that has no end yet.
  return place.fence !== null ? [...finished, last] : [...finished, ...withDefinitions([last], definitions)]
}

function readLine(text: string, place: Place): Line {
  const { isBehindEmpty, isWithin, mayDefine, item } = place
  const isEmpty = text.trim() === ''
  const read = readFence(text, { fence: place.fence, isListed: item !== '', isBehindEmpty })
  if (read.isCode) return { text, isEmpty, ...read, marker: '', isNew: false, item, definition: null }
  // Code needs no empty line before it.
  const isNew = read.fence?.indent === 0 || (isBehindEmpty && STARTS_ANEW.test(text))
  const isOutside = !isEmpty && (isNew || (isBehindEmpty && !isWithin))
  return {
    text,
    isEmpty,
    ...read,
    marker: ITEM.exec(text)?.[0] ?? '',
    isNew,
    item: isOutside ? '' : item,
    definition: mayDefine ? definitionIn(text) : null,
  }
}

/**
 * Returns the head of a table that a part starting at the line repeats: empty if it continues no table; `null` if the
 * part before it, of the given length, goes on.
 */
function headOfNext(line: Line, { isBehindEmpty, isWithin, head }: Place, length: number): string | null {
  const isFirstItem = isBehindEmpty && !isWithin && line.marker !== ''
  if (length >= SHORTEST && (line.isNew || isFirstItem)) return ''
  if (length >= LONG && goesOn(line.item, line.marker)) return ''
  return length >= LONG && head !== '' && line.text.startsWith('|') ? head : null
}

/** Returns the place of the next line. */
function after(line: Line, place: Place, head: () => string): Place {
  const { isEmpty, isCode, fence, marker, isNew, item, definition } = line
  const { isBehindEmpty, isWithin } = place
  const isListed = marker !== '' && (item !== '' || isBehindEmpty)
  const isSame = isCode || (isBehindEmpty && isEmpty)
  return {
    fence,
    isBehindEmpty: isEmpty,
    isWithin: isSame ? isWithin : !isNew && (isBehindEmpty || isWithin || marker !== ''),
    mayDefine: isEmpty || definition !== null,
    item: isListed ? marker : item,
    head: isCode || isEmpty || isNew ? '' : isBehindEmpty ? head() : place.head,
  }
}

/** Whether an item continues the list of an item before it, also if it is in a list of its own. */
function goesOn(before: string, next: string): boolean {
  if (before === '' || next === '') return false
  const [last, number] = [Number.parseInt(before, 10), Number.parseInt(next, 10)]
  return Number.isNaN(last) ? before === next : number === last + 1
}
