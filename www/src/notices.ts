import { TrimtabError } from 'trimtab'
import { byId, h } from './dom.js'

interface Notices {
  error(what: string, error: unknown): void
  clear(): void
}

/** Shows one error at a time above the page's content, which stays usable. */
export function createNotices(): Notices {
  const root = byId('notices', HTMLElement)
  return {
    error(what, error) {
      const { message, code } = describe(error)
      const close = h(
        'button',
        { class: 'notice-close', attrs: { type: 'button', 'aria-label': 'Dismiss' } },
        '×',
      )
      const text = h('p', {}, h('strong', {}, what), ` ${message} `, h('code', {}, code))
      const notice = h('div', { class: 'notice', attrs: { role: 'alert' } }, text, close)
      close.addEventListener('click', () => notice.remove())
      root.replaceChildren(notice)
    },
    clear() {
      root.replaceChildren()
    },
  }
}

function describe(error: unknown): { message: string; code: string } {
  if (error instanceof TrimtabError) {
    return { message: error.message, code: error.code }
  }
  return error instanceof Error
    ? { message: error.message, code: error.name }
    : { message: String(error), code: 'unknown' }
}
