import { oncePerFrame } from './dom.js'
import { RowHeights } from './row-heights.js'

/**
 * A long list that scrolls with the page and holds only the rows near the window. Row heights vary: they are
 * estimated first and measured when the row is created, without moving the rows in sight.
 */
interface VirtualListOptions {
  /** Creates the row of a key. */
  render(key: number): HTMLElement
  /** Estimates the height of a key's row, in pixels. */
  guess(key: number): number
  /** Height, in pixels, covered by other elements at the top of the window. */
  covered(): number
  /** Called with the first and last key between the covered part and the end of the window. */
  onVisible(first: number, last: number): void
}

interface VirtualList {
  /** Shows the rows of these keys (ascending), all created again. */
  show(keys: readonly number[]): void
  /** Scrolls the row of a key, or the next one, to the top. */
  scrollTo(key: number): void
  /** Returns the key of the topmost row. */
  topKey(): number | null
}

/** Distance beyond the window within which rows are created, in pixels. */
const OVERSCAN = 500

/**
 * Number of frames in which the scroll position is corrected: rows above the target are measured on the way.
 */
const SETTLE_FRAMES = 6

export function createVirtualList(host: HTMLElement, options: VirtualListOptions): VirtualList {
  let keys: readonly number[] = []
  let heights = new RowHeights(0, () => 0)
  const measured = new Map<number, number>()
  const rows = new Map<number, HTMLElement>()

  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const row = Number((target as HTMLElement).dataset.row)
      if (rows.get(row) === target) {
        setHeight(row, (target as HTMLElement).offsetHeight)
      }
    }
    place()
  })

  /** The upper end of the uncovered window, in the list's coordinates. */
  const topLine = () => options.covered() - host.getBoundingClientRect().top

  const setHeight = (row: number, height: number) => {
    const key = keys[row]
    // A row without layout (its list is hidden) has no height to record.
    if (key !== undefined && height > 0) {
      measured.set(key, height)
      heights.measure(row, height)
    }
  }

  const place = () => {
    host.style.height = `${heights.total}px`
    for (const [row, element] of rows) {
      element.style.transform = `translateY(${heights.start(row)}px)`
    }
  }

  const update = () => {
    if (keys.length === 0) {
      return
    }
    const line = topLine()
    const anchor = heights.rowAt(line)
    const anchorStart = heights.start(anchor)
    const top = -host.getBoundingClientRect().top
    const first = heights.rowAt(top - OVERSCAN)
    const last = heights.rowAt(top + innerHeight + OVERSCAN)
    removeOutside(first, last)
    addInside(first, last)
    place()
    const shift = heights.start(anchor) - anchorStart
    if (line > 0 && Math.abs(shift) >= 1) {
      scrollBy({ top: shift, behavior: 'instant' })
    }
    tellVisible()
  }

  const removeOutside = (first: number, last: number) => {
    for (const [row, element] of rows) {
      // Keep the focused row: removing it would move a keyboard user back to the top.
      if ((row < first || row > last) && !element.contains(document.activeElement)) {
        observer.unobserve(element)
        element.remove()
        rows.delete(row)
      }
    }
  }

  const addInside = (first: number, last: number) => {
    const added: number[] = []
    for (let row = first; row <= last; row++) {
      const key = keys[row]
      if (key === undefined || rows.has(row)) {
        continue
      }
      const element = options.render(key)
      element.dataset.row = String(row)
      element.setAttribute('aria-posinset', String(row + 1))
      element.setAttribute('aria-setsize', String(keys.length))
      host.insertBefore(element, nextElement(row))
      rows.set(row, element)
      added.push(row)
    }
    // Measured together, so that the browser computes the layout once.
    for (const row of added) {
      const element = rows.get(row)
      if (element !== undefined) {
        setHeight(row, element.offsetHeight)
        observer.observe(element)
      }
    }
  }

  /**
   * Returns the element before which to insert a row: rows are in order in the document, as that is the order
   * of reading and tabbing.
   */
  const nextElement = (row: number): HTMLElement | null => {
    let next: number | null = null
    for (const other of rows.keys()) {
      if (other > row && (next === null || other < next)) {
        next = other
      }
    }
    return next === null ? null : (rows.get(next) ?? null)
  }

  const tellVisible = () => {
    const line = topLine()
    const first = keys[heights.rowAt(line)]
    const last = keys[heights.rowAt(line + innerHeight - options.covered())]
    if (first !== undefined && last !== undefined) {
      options.onVisible(first, last)
    }
  }

  const rowOf = (key: number) => {
    const row = keys.findIndex((candidate) => candidate >= key)
    return row < 0 ? keys.length - 1 : row
  }

  const approach = (row: number, frames: number) => {
    const distance = host.getBoundingClientRect().top + heights.start(row) - options.covered()
    if (Math.abs(distance) >= 1) {
      scrollBy({ top: distance, behavior: 'instant' })
      update()
    }
    if (frames > 0) {
      requestAnimationFrame(() => approach(row, frames - 1))
    }
  }

  const clear = () => {
    observer.disconnect()
    rows.clear()
    host.replaceChildren()
  }

  const askUpdate = oncePerFrame(update)
  addEventListener('scroll', askUpdate, { passive: true })
  addEventListener('resize', askUpdate)

  return {
    show(next) {
      const line = topLine()
      const anchorKey = line > 0 ? keys[heights.rowAt(line)] : undefined
      const inset = line - heights.start(heights.rowAt(line))
      clear()
      keys = next
      heights = new RowHeights(keys.length, (row) => {
        const key = keys[row] ?? 0
        return measured.get(key) ?? options.guess(key)
      })
      host.style.height = `${heights.total}px`
      if (anchorKey !== undefined && keys.length > 0) {
        scrollBy({ top: heights.start(rowOf(anchorKey)) + inset - topLine(), behavior: 'instant' })
      }
      update()
    },
    scrollTo(key) {
      if (keys.length > 0) {
        approach(rowOf(key), SETTLE_FRAMES)
      }
    },
    topKey: () => keys[heights.rowAt(topLine() + 1)] ?? null,
  }
}
