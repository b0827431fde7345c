import type { SkippedLines } from 'trimtab/transcripts'
import { byId, h } from './dom.js'
import { count, plural } from './numbers.js'

/** Shows, beside the session's name, which lines or entries of its file were not messages, and where. */
export function showSkipped(skipped: readonly SkippedLines[]): void {
  const note = byId('skipped', HTMLDetailsElement)
  const total = skipped.reduce((sum, { count: amount }) => sum + amount, 0)
  const many = skipped[0]?.unit === 'entry' ? ['entry', 'entries'] : ['line', 'lines']
  note.hidden = total === 0
  note.open = false
  note.replaceChildren(
    h('summary', {}, `${plural(total, many[0] ?? '', many[1])} skipped`),
    h('ul', {}, ...skipped.map((group) => h('li', {}, skippedText(group)))),
  )
}

function skippedText({ reason, count: amount, unit, first }: SkippedLines): string {
  const places = first.map((place) => count(place)).join(', ')
  const more = amount > first.length ? ', …' : ''
  return `${count(amount)} × ${reason}${places === '' ? '' : ` (${unit} ${places}${more})`}`
}
