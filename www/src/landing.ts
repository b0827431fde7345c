import { byId, h } from './dom.js'
import type { Category } from './kinds.js'

/** Blocks of the drawing on the landing page: two bars like those of the viewer, with made-up data. */
const BLOCKS = [
  [6, 'system', true],
  [4, 'user', true],
  [3, 'assistant', true],
  [14, 'read', false],
  [2, 'call', true],
  [9, 'shell', false],
  [3, 'assistant', true],
  [16, 'read', false],
  [7, 'edit', true],
  [6, 'search', false],
  [3, 'reasoning', true],
  [10, 'shell', true],
  [5, 'assistant', true],
  [9, 'read', true],
] as const satisfies readonly (readonly [number, Category, boolean])[]

export function drawLanding(): void {
  const bar = (after: boolean) =>
    h(
      'div',
      { class: 'landing-bar' },
      ...BLOCKS.map(([width, kind, kept]) => {
        const block = h('span', { class: kept ? '' : 'is-cut', attrs: { 'data-kind': kind } })
        block.style.flexGrow = String(after && !kept ? 0.4 : width)
        return block
      }),
      after ? freed() : null,
    )
  byId('landing-bars', HTMLElement).replaceChildren(bar(false), bar(true))
}

function freed(): HTMLElement {
  const space = h('span', { class: 'is-free' })
  space.style.flexGrow = String(BLOCKS.reduce((sum, [width, , kept]) => sum + (kept ? 0 : width - 0.4), 0))
  return space
}
