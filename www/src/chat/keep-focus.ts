/** Where the keyboard goes when what had it is gone: where the user writes, or what stands in its place. */
const FALLBACK = '#composer, #transport, .past .primary'

/**
 * Keeps the keyboard in the page. A button that does its work may be gone with it, as "Allow" or "Fork here"; who uses no pointer would
 * be at the top of the page then.
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
