import { h } from './dom.js'

export type Side = 'before' | 'after'

interface BarHandleOptions {
  /** The block at a share (0 to 1) of the bar's width. */
  blockAt(share: number): number | null
  describe(block: number): string
  /** Called when the pointer or the keyboard moves to a block; `at` is the position of its tooltip. */
  onPoint(block: number | null, at: { x: number; y: number } | null): void
  onPick(block: number): void
}

interface BarHandle {
  element: HTMLElement
  setBlocks(blocks: number, label: string): void
}

/**
 * Handles pointer and keyboard input of a bar. Assistive technology sees a slider over the blocks: arrow keys
 * move from block to block, Enter scrolls to the block's message.
 */
export function createBarHandle(side: Side, options: BarHandleOptions): BarHandle {
  const element = h('div', {
    class: `bar-handle bar-handle-${side}`,
    attrs: { role: 'slider', tabindex: 0, 'aria-orientation': 'horizontal' },
  })
  let blocks = 0
  let current = 0
  const moveTo = (block: number) => {
    current = Math.min(blocks - 1, Math.max(0, block))
    element.setAttribute('aria-valuenow', String(current + 1))
    element.setAttribute('aria-valuetext', blocks === 0 ? 'no blocks' : options.describe(current))
  }
  const under = (event: PointerEvent | MouseEvent) => {
    const box = element.getBoundingClientRect()
    return options.blockAt((event.clientX - box.left) / box.width)
  }
  element.addEventListener('pointermove', (event) => {
    options.onPoint(under(event), { x: event.clientX, y: event.clientY })
  })
  element.addEventListener('pointerleave', () => options.onPoint(null, null))
  element.addEventListener('blur', () => options.onPoint(null, null))
  element.addEventListener('click', (event) => {
    const block = under(event)
    if (block !== null) {
      moveTo(block)
      options.onPick(block)
    }
  })
  element.addEventListener('keydown', (event) => {
    const target = targetOf(event.key, current, blocks)
    if (blocks > 0 && event.key === 'Enter') {
      options.onPick(current)
    } else if (blocks > 0 && target !== null) {
      event.preventDefault()
      moveTo(target)
      options.onPoint(current, null)
    }
  })
  return {
    element,
    setBlocks(count, label) {
      blocks = count
      element.setAttribute('aria-label', label)
      element.setAttribute('aria-valuemin', '1')
      element.setAttribute('aria-valuemax', String(Math.max(1, count)))
      moveTo(current)
    },
  }
}

function targetOf(key: string, current: number, blocks: number): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return current + 1
    case 'ArrowLeft':
    case 'ArrowDown':
      return current - 1
    case 'PageUp':
      return current + 20
    case 'PageDown':
      return current - 20
    case 'Home':
      return 0
    case 'End':
      return blocks - 1
    default:
      return null
  }
}
