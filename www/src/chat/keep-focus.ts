/** Elements that receive the focus if the focused one is removed: the composer or what replaces it. */
const FALLBACK = '#composer, #transport, .past .primary'

/**
 * Restores the focus of keyboard users. A button can disappear when it is pressed, such as "Allow" or "Fork here", and
 * the focus would move to the top of the page.
 */
export function keepFocus(root: Element): void {
  let last: Element | null = null
  let isByKeyboard = false
  document.addEventListener('keydown', () => (isByKeyboard = true), true)
  document.addEventListener('pointerdown', () => (isByKeyboard = false), true)
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null
  })
  const look = () => {
    if (!isByKeyboard || last === null || last.isConnected || document.activeElement !== document.body) return
    last = null
    document.querySelector<HTMLElement>(FALLBACK)?.focus()
  }
  new MutationObserver(look).observe(root, { childList: true, subtree: true })
}
