import { h } from './dom.js'

export interface Tooltip {
  show(content: readonly Node[], x: number, y: number): void
  hide(): void
}

const GAP = 14
const MARGIN = 8

/**
 * Creates the page's one tooltip, placed beside the pointer and inside the window. The same facts are also
 * provided as ARIA text.
 */
export function createTooltip(): Tooltip {
  const element = h('div', { class: 'tooltip', attrs: { 'aria-hidden': 'true', hidden: true } })
  document.body.append(element)
  return {
    show(content, x, y) {
      element.replaceChildren(...content)
      element.hidden = false
      const { width, height } = element.getBoundingClientRect()
      const { clientWidth, clientHeight } = document.documentElement
      const left = x + GAP + width + MARGIN > clientWidth ? x - GAP - width : x + GAP
      const top = y + GAP + height + MARGIN > clientHeight ? y - GAP - height : y + GAP
      element.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - width - MARGIN))}px`
      element.style.top = `${Math.max(MARGIN, top)}px`
    },
    hide() {
      element.hidden = true
    },
  }
}
