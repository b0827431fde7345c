import { createContext } from 'preact'
import { foundIn } from '../search/found-in.js'

/** The text that was searched for in a row; `null` if none. */
export const Sought = createContext<string | null>(null)

/** Name of the CSS highlight. */
const NAME = 'found'

/** Time limit for a row to show its text, in milliseconds: code may have to load first. */
const OPENING = 1500

/** Marks the first occurrence of a text in a row as soon as it is shown. Removes the previous mark. */
export function markFound(row: HTMLElement, text: string, onFound: (place: Range) => void): void {
  CSS.highlights?.delete(NAME)
  const start = performance.now()
  const look = () => {
    const range = rangeIn(row, text)
    if (range !== null) {
      CSS.highlights?.set(NAME, new Highlight(range))
      onFound(range)
    } else if (performance.now() - start < OPENING && row.isConnected) requestAnimationFrame(look)
  }
  look()
}

/** Finds a text in an element, across text nodes. */
function rangeIn(row: HTMLElement, text: string): Range | null {
  const nodes: Text[] = []
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) nodes.push(node as Text)
  const whole = nodes.map(({ data }) => data).join('')
  const place = foundIn(whole, text)
  if (place === null) return null
  const range = document.createRange()
  let at = 0
  for (const node of nodes) {
    const end = at + node.data.length
    if (place.start >= at && place.start < end) range.setStart(node, place.start - at)
    if (place.end > at && place.end <= end) {
      range.setEnd(node, place.end - at)
      return range
    }
    at = end
  }
  return null
}
