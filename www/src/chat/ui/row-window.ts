import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RowHeights } from '../../row-heights.js'
import type { Row } from '../agent/thread.js'

/** So many rows are all made: a list that short needs no window, and the browser can search it. */
const FEW = 120
/** How far beyond what is seen rows are made, in pixels. */
const BEYOND = 400
/** How long rows that are not seen wait where all rows are other ones, in milliseconds: what is seen comes first. */
const LATER = 120
/** Between two rows, and above the first one, in pixels. */
const [GAP, TOP] = [10, 22]
/** Below the last row. */
const BOTTOM = 30
/** The height of a row that was never seen, with its gap. */
const GUESS = 52
/** The height of the area before it is known. */
const FIRST_HEIGHT = 800
/** How long what opens may take to have its height, in milliseconds. */
const OPENING = 600
/** So near to the end is at the end, in pixels. */
const AT_END = 40
/** A row with the keyboard stays as long as it is so many rows away. */
const NEAR = 200

/** A row, and where its top is below that of the area. */
interface Anchor {
  readonly key: string
  readonly offset: number
}

export interface RowWindow {
  /** The rows that are made: from the first one to before the second number. */
  readonly range: readonly [from: number, to: number]
  readonly isAtEnd: Signal<boolean>
  /** Takes the element that scrolls. */
  readonly area: RefObject<HTMLDivElement | null>
  /** Takes the element that has a child for each row that is made, and others behind them. */
  rowsElement(element: HTMLElement | null): void
  onScroll(): void
  /** Lets the place go that was asked for: the user moves. */
  letGo(): void
  /** Brings the row of a key to so many pixels below the top, and holds it there until the user moves. */
  goTo(key: string, offset?: number): void
  goToEnd(): void
  /** Leaves the row that has this element where it is, also at the end, while something in it opens. */
  hold(inside: Element): void
  /** The element of a row, where it is made. */
  elementOf(index: number): HTMLElement | undefined
  /** The key of the row at the top. */
  topKey(): string
}

const middleOf = ([from, to]: readonly [number, number]) => (from + to) >> 1

/**
 * Makes those rows of a list that are near what is seen. Heights are guessed until they were measured, and what the reader looks at
 * stays where it is: the row at the top, or the end.
 *
 * @param list What the rows are of: another one begins at its end, with heights of its own.
 */
export function useRowWindow(rows: readonly Row[], list: object): RowWindow {
  const area = useRef<HTMLDivElement | null>(null)
  const inner = useRef<HTMLElement | null>(null)
  const isAtEnd = useSignal(true)
  const moved = useSignal(0)
  const anchor = useRef<Anchor | null>(null)
  const isHeld = useRef(false)
  /** How far the area was scrolled when that was last known. */
  const scrolled = useRef(0)
  /** The area's height: asked of the page it would have all of it laid out. */
  const seen = useRef(FIRST_HEIGHT)
  const measured = useMemo(() => new Map<string, number>(), [list])
  const heights = useMemo(
    () => new RowHeights(rows.length, (row) => measured.get(rows[row]?.key ?? '') ?? GUESS),
    [rows, measured],
  )
  const range = useRef<readonly [number, number]>([0, 0])
  const beyond = useRef(BEYOND)
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const known = useRef<ReadonlySet<string>>(new Set())

  /** Where all rows are other ones, as after a jump, those that are seen come first, and the rest a moment later. */
  const look = () => {
    if (rows.length <= FEW || known.current.has(rows[middleOf(wanted())]?.key ?? '')) return
    beyond.current = 0
    clearTimeout(later.current)
    later.current = setTimeout(() => {
      beyond.current = BEYOND
      moved.value += 1
    }, LATER)
  }
  const wanted = (): readonly [number, number] => {
    if (rows.length <= FEW) return [0, rows.length]
    const height = seen.current
    const top = isAtEnd.peek() ? heights.total - height : topOf(anchor.current)
    const [from, to] = [heights.rowAt(top - beyond.current), heights.rowAt(top + height + beyond.current) + 1]
    const focused = focusedRow()
    return focused === null || focused < from - NEAR || focused > to + NEAR
      ? [from, to]
      : [Math.min(from, focused), Math.max(to, focused + 1)]
  }
  /** Where the area's top is, in the list's own pixels. */
  const topOf = (at: Anchor | null): number => {
    const index = at === null ? -1 : rows.findIndex(({ key }) => key === at.key)
    return index === -1 ? (area.current?.scrollTop ?? 0) - TOP : heights.start(index) - (at?.offset ?? 0)
  }
  const made = () => [...(inner.current?.children ?? [])].slice(0, range.current[1] - range.current[0])
  const focusedRow = (): number | null => {
    const active = document.activeElement
    const index = active === null ? -1 : made().findIndex((row) => row.contains(active))
    return index === -1 ? null : range.current[0] + index
  }
  const elementOf = (index: number) => {
    const element = index < range.current[0] ? undefined : made()[index - range.current[0]]
    return element instanceof HTMLElement ? element : undefined
  }

  moved.value
  // Found before the rows are made anew: afterwards the keyboard may be elsewhere.
  look()
  const now = wanted()
  range.current = now
  known.current = new Set(rows.slice(...now).map(({ key }) => key))

  const pad = () => {
    if (inner.current === null) return
    const [from, to] = range.current
    inner.current.style.paddingTop = `${TOP + heights.start(from)}px`
    inner.current.style.paddingBottom = `${BOTTOM + heights.total - heights.start(to)}px`
  }
  const settle = () => {
    const element = area.current
    if (element === null) return
    seen.current = element.clientHeight
    if (rows.length > FEW) {
      measure()
      pad()
    } else inner.current?.removeAttribute('style')
    if (isAtEnd.peek()) {
      element.scrollTop = element.scrollHeight
      // A list that became shorter took the area up, not the user.
      scrolled.current = element.scrollTop
    } else if (anchor.current !== null) {
      const index = rows.findIndex(({ key }) => key === anchor.current?.key)
      const row = elementOf(index)
      if (row !== undefined)
        element.scrollTop +=
          row.getBoundingClientRect().top - element.getBoundingClientRect().top - anchor.current.offset
    }
    renewIfNeeded()
  }
  const measure = () => {
    const elements = made() as HTMLElement[]
    const tops = elements.map((element) => element.offsetTop)
    elements.forEach((element, index) => {
      const height = (tops[index + 1] ?? element.offsetTop + element.offsetHeight + GAP) - (tops[index] ?? 0)
      const row = range.current[0] + index
      const key = rows[row]?.key
      // What is not laid out has no height to learn.
      if (key === undefined || element.offsetHeight === 0) return
      measured.set(key, height)
      heights.measure(row, height)
    })
  }
  const renewIfNeeded = () => {
    const [from, to] = wanted()
    const [first, last] = range.current
    // A few rows more or less are not worth the work.
    if (from < first || to > last || from > first + NEAR || to < last - NEAR) moved.value += 1
  }
  const noteAnchor = () => {
    const element = area.current
    if (element === null || isHeld.current) return
    const { top } = element.getBoundingClientRect()
    const elements = made()
    const index = elements.findIndex((row) => row.getBoundingClientRect().bottom > top + 4)
    const first = elements[index]
    const isSeen = first !== undefined && (index > 0 || first.getBoundingClientRect().top <= top + TOP)
    if (isSeen) {
      const key = rows[range.current[0] + index]?.key ?? ''
      anchor.current = { key, offset: first.getBoundingClientRect().top - top }
      return
    }
    // The scroll bar was taken far away.
    const row = heights.rowAt(element.scrollTop - TOP)
    anchor.current = { key: rows[row]?.key ?? '', offset: heights.start(row) + TOP - element.scrollTop }
  }
  const latest = useRef({ settle })
  latest.current = { settle }
  useLayoutEffect(() => latest.current.settle())
  const growth = useMemo(() => new ResizeObserver(() => latest.current.settle()), [])
  useEffect(() => () => growth.disconnect(), [])
  const opening = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const toEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
    scrollHeight - scrollTop - clientHeight

  return {
    range: now,
    isAtEnd,
    area,
    rowsElement(element) {
      inner.current = element
      growth.disconnect()
      if (element !== null) growth.observe(element)
    },
    onScroll() {
      const element = area.current
      if (element === null) return
      const { scrollTop, clientHeight } = element
      seen.current = clientHeight
      // What grew since the last scroll to the end is no scroll of the user's: that one goes up.
      if (toEnd(element) < AT_END) isAtEnd.value = true
      else if (scrollTop < scrolled.current) isAtEnd.value = false
      scrolled.current = scrollTop
      noteAnchor()
      renewIfNeeded()
    },
    letGo() {
      isHeld.current = false
    },
    goTo(key, offset = 0) {
      anchor.current = { key, offset }
      isHeld.current = true
      isAtEnd.value = false
      moved.value += 1
    },
    goToEnd() {
      isHeld.current = false
      anchor.current = null
      isAtEnd.value = true
      moved.value += 1
    },
    hold(inside) {
      const element = area.current
      const index = made().findIndex((row) => row.contains(inside))
      const row = made()[index]
      if (element === null || row === undefined) return
      const offset = row.getBoundingClientRect().top - element.getBoundingClientRect().top
      anchor.current = { key: rows[range.current[0] + index]?.key ?? '', offset }
      isAtEnd.value = false
      clearTimeout(opening.current)
      opening.current = setTimeout(() => {
        if (toEnd(element) < AT_END) isAtEnd.value = true
      }, OPENING)
    },
    elementOf,
    topKey: () => anchor.current?.key ?? '',
  }
}
