import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { RowHeights } from '../../row-heights.js'

/** How far beyond the window's edges items are made, in pixels. */
const BEYOND = 500
/** The height of an item that was never seen. */
const GUESS = 30
/** Items that are made before it is known where the list stands. */
const FIRST = 40
/** An item with the keyboard stays as long as it is so many items away. */
const NEAR = 200

interface ListWindow {
  /** The items that are made: from the first one to before the second number. */
  readonly range: readonly [from: number, to: number]
  /** Takes the list, which has a child for each item that is made. */
  readonly list: RefObject<HTMLUListElement | null>
}

/**
 * Of a long list inside something that scrolls, the items near what is seen: they flow, and two paddings stand for the others. Items
 * keep their keys over changes of the list, which is another array then.
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
      // What is not laid out has no height to learn.
      if (height === 0) continue
      measured.set(keys[from + index] ?? '', height)
      heights.measure(from + index, height)
    }
  }
  const look = (element: HTMLElement) => {
    const { top } = element.getBoundingClientRect()
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
    element.style.paddingTop = `${heights.start(from)}px`
    element.style.paddingBottom = `${heights.total - heights.start(to)}px`
    look(element)
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
