import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RowHeights } from '../../row-heights.js'

/** Distance beyond the window within which items are created, in pixels. */
const BEYOND = 500
/** Estimated height of an item that was never displayed, in pixels. */
const GUESS = 30
/** Number of items created before the list's position is known. */
const FIRST = 40
/** A focused item is kept while it is at most this many items away. */
const NEAR = 200

interface ListWindow {
  /** Indices of the created items: from the first one up to, but not including, the second. */
  readonly range: readonly [from: number, to: number]
  /** Ref for the list element, which has one child per created item. */
  readonly list: RefObject<HTMLUListElement | null>
}

/**
 * Renders only the items near the visible part of a long list in a scrolling element. Padding replaces the others.
 * Items keep their keys when the list changes, which is then a new array.
 */
export function useListWindow(keys: readonly string[]): ListWindow {
  const list = useRef<HTMLUListElement>(null)
  const measured = useMemo(() => new Map<string, number>(), [])
  const heights = useMemo(
    () => new RowHeights(keys.length, (item) => measured.get(keys[item] ?? '') ?? GUESS),
    [keys],
  )
  const wanted = useSignal<readonly [number, number]>([0, FIRST])
  const [first, last] = wanted.value
  const from = Math.min(first, Math.max(0, keys.length - FIRST))
  const to = Math.min(keys.length, last)

  const measure = (element: HTMLElement) => {
    for (const [index, child] of [...element.children].entries()) {
      const { height } = child.getBoundingClientRect()
      // An item without layout has no height to record.
      if (height === 0) continue
      measured.set(keys[from + index] ?? '', height)
      heights.measure(from + index, height)
    }
  }
  const look = (element: HTMLElement, top: number) => {
    const focused = [...element.children].findIndex((child) => child.contains(document.activeElement))
    let next: [number, number] = [heights.rowAt(-top - BEYOND), heights.rowAt(innerHeight - top + BEYOND) + 1]
    const held = from + focused
    if (focused !== -1 && held > next[0] - NEAR && held < next[1] + NEAR)
      next = [Math.min(next[0], held), Math.max(next[1], held + 1)]
    if (next[0] !== first || next[1] !== last) wanted.value = next
  }
  const settle = () => {
    const element = list.current
    if (element === null) return
    measure(element)
    // Read before the padding is written: afterwards it would force another layout.
    const { top } = element.getBoundingClientRect()
    element.style.paddingTop = `${heights.start(from)}px`
    element.style.paddingBottom = `${heights.total - heights.start(to)}px`
    look(element, top)
  }
  const latest = useRef(settle)
  latest.current = settle
  useLayoutEffect(() => latest.current())
  useEffect(() => {
    const moved = () => latest.current()
    const growth = new ResizeObserver(moved)
    if (list.current !== null) growth.observe(list.current)
    document.addEventListener('scroll', moved, { capture: true, passive: true })
    addEventListener('resize', moved)
    return () => {
      growth.disconnect()
      document.removeEventListener('scroll', moved, { capture: true })
      removeEventListener('resize', moved)
    }
  }, [])
  return { range: [from, to], list }
}
