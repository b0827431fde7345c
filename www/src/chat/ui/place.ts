import type { Row } from '../agent/thread.js'

/** Entries of the thread, without the button for earlier ones before them. */
const entriesIn = (area: Element): Element[] =>
  [...(area.querySelector('.rows')?.children ?? [])].filter((one) => !one.classList.contains('earlier'))

/** The key of the entry at the top of what is seen, of the entries from `first` on. */
export function placeIn(area: Element, rows: readonly Row[], first: number): string {
  const { top } = area.getBoundingClientRect()
  const at = entriesIn(area).findIndex((entry) => entry.getBoundingClientRect().bottom > top + 4)
  return rows[first + at]?.key ?? ''
}

/** The entry of a row, by its index, of the entries from `first` on. */
export const entryIn = (area: Element, index: number, first: number): Element | undefined =>
  index < first ? undefined : entriesIn(area)[index - first]

/** Scrolls to the entry of a key; `false` where it is not there yet. */
export function scrollToPlace(area: Element, rows: readonly Row[], first: number, key: string): boolean {
  const entry = entryIn(
    area,
    rows.findIndex((row) => row.key === key),
    first,
  )
  if (entry === undefined) return false
  area.scrollTop += entry.getBoundingClientRect().top - area.getBoundingClientRect().top
  return true
}
