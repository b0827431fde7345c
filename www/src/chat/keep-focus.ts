/** Elements that receive the focus if the focused one is removed: the composer or what replaces it. */
const FALLBACK = '#composer, #transport, .past .primary'
/** The same in an open sheet, which covers the rest: the button that closes it. */
const IN_SHEET = ['chats', 'context'].map(
  (name) => `[data-sheet="${name}"] .sheet-${name} .sheet-head .plain-button`,
)

/** The element that received the focus of a removed one, until the user presses something. */
let receiver: Element | null = null

/** Whether the focus is in a field that the user went to, and may be writing in. */
export function isWriting(): boolean {
  const { activeElement: active } = document
  return active !== receiver && active?.matches('input, textarea, select, [contenteditable]') === true
}

/**
 * Restores the focus of keyboard users. A button can disappear when it is pressed, such as "Allow" or "Fork here", and
 * the focus would move to the top of the page.
 */
export function keepFocus(root: Element): void {
  let last: Element | null = null
  let isByKeyboard = false
  const pressed = (byKeyboard: boolean) => {
    isByKeyboard = byKeyboard
    receiver = null
  }
  document.addEventListener('keydown', () => pressed(true), true)
  document.addEventListener('pointerdown', () => pressed(false), true)
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null
  })
  const look = () => {
    if (!isByKeyboard || last === null || last.isConnected || document.activeElement !== document.body) return
    last = null
    const next =
      document.querySelector<HTMLElement>(IN_SHEET.join()) ?? document.querySelector<HTMLElement>(FALLBACK)
    next?.focus()
    receiver = next
  }
  new MutationObserver(look).observe(root, { childList: true, subtree: true })
}
