import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RowHeights } from '../../row-heights.js'
import type { Row } from '../agent/thread.js'

/** Up to this many rows are all created: a short list needs no window, and the browser can search it. */
const FEW = 120
/** Distance beyond the visible part within which rows are created, in pixels. */
const BEYOND = 400
/** Delay for rows out of sight after all rows were replaced, in milliseconds: the visible ones come first. */
const LATER = 120
/** Distance between two rows and above the first one, in pixels. */
const [GAP, TOP] = [10, 22]
/** Distance below the last row, in pixels. */
const BOTTOM = 30
/** Estimated height of a row that was never displayed, including its gap, in pixels. */
const GUESS = 52
/** Height of the scrolling area before it is known, in pixels. */
const FIRST_HEIGHT = 800
/** Maximum time for an expanding element to reach its height, in milliseconds. */
const OPENING = 600
/** Maximum distance from the end that counts as the end, in pixels. */
const AT_END = 40
/** A focused row is kept while it is at most this many rows away. */
const NEAR = 200

/** A row, and the offset of its top from the top of the area, in pixels. */
interface Anchor {
  readonly key: string
  readonly offset: number
}

export interface RowWindow {
  /** Indices of the created rows: from the first one up to, but not including, the second. */
  readonly range: readonly [from: number, to: number]
  readonly isAtEnd: Signal<boolean>
  /** Whether something at the end opens, and it is not known yet if the end stays in view. */
  readonly isOpening: Signal<boolean>
  /** Ref for the scrolling element. */
  readonly area: RefObject<HTMLDivElement | null>
  /** Ref for the element whose first children are the created rows; others follow them. */
  rowsElement(element: HTMLElement | null): void
  onScroll(): void
  /** Stops holding the requested position, as the user scrolls. */
  letGo(): void
  /** Scrolls a row to `offset` pixels below the top, and holds it there until the user scrolls. */
  goTo(key: string, offset?: number): void
  goToEnd(): void
  /** Keeps the row that contains this element in place, even at the end, while something in it expands. */
  hold(inside: Element): void
  /** Returns the element of a row, if it is created. */
  elementOf(index: number): HTMLElement | undefined
  /** Returns the key of the topmost row. */
  topKey(): string
}

const toEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

const middleOf = ([from, to]: readonly [number, number]) => (from + to) >> 1

/**
 * Creates the rows near the visible part of a list. Heights are estimated until measured. The visible part stays in
 * place: the topmost row, or the end.
 *
 * @param list The owner of the rows: for another one, the window starts at the end and forgets all heights.
 */
export function useRowWindow(rows: readonly Row[], list: object): RowWindow {
  const area = useRef<HTMLDivElement | null>(null)
  const inner = useRef<HTMLElement | null>(null)
  const isAtEnd = useSignal(true)
  const isOpening = useSignal(false)
  const moved = useSignal(0)
  const anchor = useRef<Anchor | null>(null)
  const isHeld = useRef(false)
  /** The last known scroll position of the area. */
  const scrolled = useRef(0)
  /** The area's height, cached: reading it from the page would force a layout. */
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

  /** If all rows were replaced, as after a jump, creates the visible ones first and the rest after a delay. */
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
  /** Returns the position of the area's top in the list, in pixels. */
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
  // Computed before the rows are rendered: afterwards the focus may be elsewhere.
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
    const isScrolled = isScrollPending(element)
    // Without rows there is a welcome, which is read from its beginning.
    if (rows.length === 0) element.scrollTop = 0
    if (rows.length > FEW) {
      measure()
      pad()
    } else inner.current?.removeAttribute('style')
    if (isScrolled) noteScroll(element)
    if (rows.length > 0 && isAtEnd.peek()) element.scrollTop = element.scrollHeight
    else if (anchor.current !== null) {
      const index = rows.findIndex(({ key }) => key === anchor.current?.key)
      const row = elementOf(index)
      if (row !== undefined)
        element.scrollTop +=
          row.getBoundingClientRect().top - element.getBoundingClientRect().top - anchor.current.offset
    }
    // These moves of the area are not scrolls by the user.
    noteMove()
    renewIfNeeded()
  }
  const measure = () => {
    const elements = made() as HTMLElement[]
    const tops = elements.map((element) => element.offsetTop)
    elements.forEach((element, index) => {
      const height = (tops[index + 1] ?? element.offsetTop + element.offsetHeight + GAP) - (tops[index] ?? 0)
      const row = range.current[0] + index
      const key = rows[row]?.key
      // A row without layout has no height to record.
      if (key === undefined || element.offsetHeight === 0) return
      measured.set(key, height)
      heights.measure(row, height)
    })
  }
  const renewIfNeeded = () => {
    const [from, to] = wanted()
    const [first, last] = range.current
    // A difference of a few rows does not justify the work.
    if (from < first || to > last || from > first + NEAR || to < last - NEAR) moved.value += 1
  }
  const noteMove = () => {
    scrolled.current = area.current?.scrollTop ?? 0
  }
  /** Returns whether the user has scrolled and the event is yet to come: a render before it must not undo it. */
  const isScrollPending = (element: HTMLElement) => {
    // A list that became shorter moves the area up to its end; this is not a scroll by the user.
    const isShortened = element.scrollTop < scrolled.current && toEnd(element) < 1
    return element.scrollTop !== scrolled.current && !isShortened
  }
  const noteScroll = (element: HTMLElement) => {
    // Growth since the last scroll to the end is not a scroll by the user, which goes up.
    if (toEnd(element) < AT_END) isAtEnd.value = true
    else if (element.scrollTop < scrolled.current) isAtEnd.value = false
    noteMove()
    noteAnchor(element)
  }
  const noteAnchor = (element: HTMLElement) => {
    if (isHeld.current) return
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
    // The scroll bar was dragged far away.
    const row = heights.rowAt(element.scrollTop - TOP)
    anchor.current = { key: rows[row]?.key ?? '', offset: heights.start(row) + TOP - element.scrollTop }
  }
  const latest = useRef({ settle })
  latest.current = { settle }
  useLayoutEffect(() => latest.current.settle())
  const growth = useMemo(() => new ResizeObserver(() => latest.current.settle()), [])
  useEffect(() => () => growth.disconnect(), [])
  const opening = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  return {
    range: now,
    isAtEnd,
    isOpening,
    area,
    rowsElement(element) {
      inner.current = element
      growth.disconnect()
      if (element !== null) growth.observe(element)
    },
    onScroll() {
      const element = area.current
      if (element === null) return
      seen.current = element.clientHeight
      noteScroll(element)
      renewIfNeeded()
    },
    letGo() {
      isHeld.current = false
    },
    goTo(key, offset = 0) {
      noteMove()
      anchor.current = { key, offset }
      isHeld.current = true
      isAtEnd.value = false
      moved.value += 1
    },
    goToEnd() {
      noteMove()
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
      noteMove()
      const offset = row.getBoundingClientRect().top - element.getBoundingClientRect().top
      anchor.current = { key: rows[range.current[0] + index]?.key ?? '', offset }
      isOpening.value = isOpening.peek() || isAtEnd.peek()
      isAtEnd.value = false
      clearTimeout(opening.current)
      opening.current = setTimeout(() => {
        isOpening.value = false
        if (toEnd(element) < AT_END) isAtEnd.value = true
      }, OPENING)
    },
    elementOf,
    topKey: () => anchor.current?.key ?? '',
  }
}
