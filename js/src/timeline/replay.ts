import { linesOf } from '../base/lines.js'
import { updateSection } from '../files/edit.js'
import type { Change } from './changes.js'
import { applyHunks } from './patch.js'
import type { Fragment, ReadContent } from './read-text.js'

/** Known content of a file. */
export type Known =
  | { whole: true; text: string; finalLineEnd: boolean | null }
  | { whole: false; fragments: readonly Fragment[] }

export const NOTHING: Known = { whole: false, fragments: [] }

/** Returns what is known after a read. Lines outside the read stay known if the read agrees with the rest. */
export function afterRead(known: Known, read: ReadContent): { known: Known; agrees: boolean } {
  if (read.isWhole) {
    const lines = read.fragments.flatMap((fragment) => fragment.lines)
    const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`
    const isSame = known.whole && linesOf(known.text).join('\n') === linesOf(text).join('\n')
    // A write shows how the file ends; a read often does not.
    if (isSame && read.finalLineEnd === null) return { known, agrees: true }
    return { known: { whole: true, text, finalLineEnd: read.finalLineEnd }, agrees: isSame }
  }
  const before = known.whole ? fragmentsOf(known) : known.fragments
  if (!read.fragments.every((fragment) => agreesWith(before, fragment, known.whole)))
    return { known: { whole: false, fragments: withLines([], read.fragments) }, agrees: false }
  return {
    known: known.whole ? known : { whole: false, fragments: withLines(before, read.fragments) },
    agrees: true,
  }
}

/**
 * Returns what is known after a successful change; `undefined` if the change is impossible, so the file was not as
 * assumed.
 */
function afterChange(known: Known, change: Change): Known | undefined {
  if (change.kind === 'write') {
    return {
      whole: true,
      text: change.text,
      finalLineEnd: change.text === '' ? false : change.text.endsWith('\n'),
    }
  }
  if (!known.whole)
    return change.kind === 'replace' ? replaceInFragments(fragmentsOf(known), change) : undefined
  if (known.finalLineEnd === null) return afterChangeOfEither(known.text, change)
  const text = changed(known.text, change)
  return text === undefined ? undefined : { whole: true, text, finalLineEnd: endsInLine(text) }
}

/**
 * Returns what is known after successful changes, in order, with the number of places of each replacement; `undefined`
 * as `afterChange`.
 */
export function afterChanges(known: Known, changes: readonly Change[]) {
  const places: number[] = []
  let after: Known | undefined = known
  for (const change of changes) {
    if (after === undefined) return undefined
    if (change.kind === 'replace') places.push(placesOf(after, change))
    after = afterChange(after, change)
  }
  return after === undefined ? undefined : { after, before: known, changes, places }
}

/** Only a replacement of all may have several. */
const placesOf = (known: Known, { all, old }: Extract<Change, { kind: 'replace' }>) =>
  all && known.whole ? known.text.split(old).length - 1 : 1

const endsInLine = (text: string) => text.endsWith('\n')

/** If it is unknown whether the last line has a line end, applies the change to both possible contents. */
function afterChangeOfEither(withEnd: string, change: Exclude<Change, { kind: 'write' }>): Known | undefined {
  const [a, b] = [changed(withEnd, change), changed(withEnd.slice(0, -1), change)]
  if (a === undefined || b === undefined) {
    const text = a ?? b
    return text === undefined ? undefined : { whole: true, text, finalLineEnd: endsInLine(text) }
  }
  if (a === b) return { whole: true, text: a, finalLineEnd: endsInLine(a) }
  if (b !== '' && !endsInLine(b) && a === `${b}\n`) return { whole: true, text: a, finalLineEnd: null }
  const [lines, others] = [linesOf(a), linesOf(b)]
  const different = lines.findIndex((line, i) => line !== others[i])
  const same = lines.slice(0, different === -1 ? lines.length : different)
  return { whole: false, fragments: same.length === 0 ? [] : [{ start: 1, lines: same }] }
}

function changed(text: string, change: Exclude<Change, { kind: 'write' }>): string | undefined {
  switch (change.kind) {
    case 'append':
      return text + change.text
    case 'prepend':
      return text.startsWith('\ufeff') ? undefined : change.text + text
    case 'insert': {
      const lines = text.split('\n')
      if (change.line < 0 || change.line >= lines.length) return undefined
      lines.splice(change.line, 0, ...change.text.replace(/\n$/, '').split('\n'))
      return lines.join('\n')
    }
    case 'section': {
      const made = updateSection(text, { path: 'file', header: change.header, text: change.text })
      return made.isError ? undefined : made.content
    }
    case 'patch':
      // Codex adds a missing line end to the last line; others may not.
      return text.endsWith('\n') ? applyHunks(text, change.hunks) : undefined
    case 'replace': {
      const places = text.split(change.old)
      const isFound = change.all ? places.length > 1 : places.length === 2
      return isFound ? places.join(change.new) : undefined
    }
  }
}

/** Replaces text in known lines and shifts the lines after it; a replacement elsewhere could have shifted any line. */
function replaceInFragments(
  fragments: readonly Fragment[],
  { all, new: text, old }: Extract<Change, { kind: 'replace' }>,
): Known | undefined {
  if (all) return undefined
  const holders = fragments.filter(({ lines }) => lines.join('\n').includes(old))
  const [holder] = holders
  if (holder === undefined || holders.length > 1) return undefined
  const places = holder.lines.join('\n').split(old)
  if (places.length !== 2) return undefined
  const lines = places.join(text).split('\n')
  const shift = lines.length - holder.lines.length
  const moved = fragments.map((fragment) => {
    if (fragment === holder) return { start: holder.start, lines }
    return fragment.start > holder.start ? { ...fragment, start: fragment.start + shift } : fragment
  })
  return { whole: false, fragments: moved }
}

/** Returns the known lines, each run of them as one fragment. */
export function fragmentsOf(known: Known): readonly Fragment[] {
  if (!known.whole) return runsOf(known.fragments)
  const lines = linesOf(known.text)
  return lines.length === 0 ? [] : [{ start: 1, lines }]
}

/** Joins fragments that follow each other. */
function runsOf(fragments: readonly Fragment[]): Fragment[] {
  const runs: Fragment[] = []
  for (const { lines, start } of fragments) {
    const last = runs.at(-1)
    if (last === undefined || endOf(last) < start) runs.push({ start, lines: [...lines] })
    else for (const line of lines) last.lines.push(line)
  }
  return runs
}

/** The line after a fragment. */
const endOf = ({ lines, start }: Fragment): number => start + lines.length

/** The first of sorted fragments that ends after a line. */
function firstEndingAfter(fragments: readonly Fragment[], line: number): number {
  let [from, to] = [0, fragments.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (endOf(fragments[middle] as Fragment) <= line) from = middle + 1
    else to = middle
  }
  return from
}

/** Whether the lines that both contain are the same, and of a whole file, whether it contains all of them. */
function agreesWith(known: readonly Fragment[], read: Fragment, isWhole: boolean): boolean {
  const end = endOf(read)
  let common = 0
  for (let at = firstEndingAfter(known, read.start); at < known.length; at++) {
    const { lines, start } = known[at] as Fragment
    if (start >= end) break
    const first = Math.max(start, read.start)
    const last = Math.min(start + lines.length, end)
    for (let line = first; line < last; line++)
      if (lines[line - start] !== read.lines[line - read.start]) return false
    common += Math.max(0, last - first)
  }
  return !isWhole || common === read.lines.length
}

/**
 * Adds the lines of reads to known ones, which are sorted. Of lines that both have, the later read's are kept. Fragments
 * are not joined: a file that is read part by part would be copied at each read.
 */
function withLines(known: readonly Fragment[], reads: readonly Fragment[]): Fragment[] {
  const fragments = [...known]
  for (const read of reads) {
    if (read.lines.length === 0) continue
    const first = firstEndingAfter(fragments, read.start)
    const end = endOf(read)
    let after = first
    while (after < fragments.length && (fragments[after] as Fragment).start < end) after++
    fragments.splice(first, after - first, ...around(fragments.slice(first, after), read))
  }
  return fragments
}

/** Returns a read between the lines before and after it of the fragments that it overlaps. */
function around(overlapped: readonly Fragment[], read: Fragment): Fragment[] {
  const [first, last] = [overlapped[0], overlapped.at(-1)]
  if (first === undefined || last === undefined) return [read]
  const end = endOf(read)
  const before = { start: first.start, lines: first.lines.slice(0, Math.max(0, read.start - first.start)) }
  const after = { start: end, lines: last.lines.slice(Math.max(0, end - last.start)) }
  return [before, read, after].filter(({ lines }) => lines.length > 0)
}
