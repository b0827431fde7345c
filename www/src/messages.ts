import { byId, h } from './dom.js'
import { messageRow } from './message-row.js'
import { count, plural } from './numbers.js'
import { isEdited, type View } from './view.js'
import { createVirtualList } from './virtual-list.js'

interface Messages {
  show(view: View): void
  /** Scrolls to a block's message and highlights the block. */
  reveal(block: number): void
}

interface MessagesOptions {
  /** Height, in pixels, covered by the step slider and the bars at the top of the window. */
  covered(): number
  onVisible(firstMessage: number, lastMessage: number): void
}

const MARK_MS = 1600

/**
 * Lists the messages of the view, before and after, with a filter and buttons to the previous and next
 * change.
 */
export function createMessages(options: MessagesOptions): Messages {
  const host = byId('message-list', HTMLElement)
  const countText = byId('messages-count', HTMLElement)
  const all = byId('show-all', HTMLButtonElement)
  const changed = byId('show-changed', HTMLButtonElement)
  const opened = new Map<string, number>()
  let view: View | null = null
  let edited: number[] = []
  let changedOnly = false

  const list = createVirtualList(host, {
    render: (message) => (view === null ? h('li') : row(view, message)),
    guess: (message) => guessHeight(view, message),
    covered: options.covered,
    onVisible: options.onVisible,
  })
  const row = (current: View, message: number) => messageRow(current, message, { opened, onToggle: remake })
  const remake = (message: number, key: string) => {
    const old = host.querySelector<HTMLElement>(`[data-message="${message}"]`)
    if (view === null || old === null) {
      return
    }
    // Keep the row element: the list positions and measures it.
    old.replaceChildren(...row(view, message).childNodes)
    old.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus({ preventScroll: true })
  }
  const refill = () => {
    if (view === null) {
      return
    }
    const total = view.messages.length
    countText.textContent = `${plural(total, 'message')}, ${count(edited.length)} changed`
    const keys = changedOnly ? edited : Array.from({ length: total }, (_, i) => i)
    list.show(keys)
    if (keys.length === 0) {
      host.style.height = ''
      host.replaceChildren(h('li', { class: 'message-none' }, noneText(total)))
    }
  }
  const filter = (only: boolean) => {
    changedOnly = only
    all.setAttribute('aria-pressed', String(!only))
    changed.setAttribute('aria-pressed', String(only))
    refill()
  }
  all.addEventListener('click', () => filter(false))
  changed.addEventListener('click', () => filter(true))
  byId('next-change', HTMLButtonElement).addEventListener('click', () => {
    const top = list.topKey() ?? -1
    goTo(edited.find((message) => message > top))
  })
  byId('previous-change', HTMLButtonElement).addEventListener('click', () => {
    const top = list.topKey() ?? 0
    goTo(edited.findLast((message) => message < top))
  })
  const goTo = (message: number | undefined) => {
    if (message !== undefined) {
      list.scrollTo(message)
    }
  }
  return {
    show(next) {
      if (next.session !== view?.session) {
        opened.clear()
      }
      view = next
      edited = editedMessages(next)
      refill()
    },
    reveal(block) {
      const facts = view?.session.blocks[block]
      if (facts === undefined || view === null) {
        return
      }
      if (changedOnly && !isEdited(view, facts.message)) {
        filter(false)
      }
      list.scrollTo(facts.message)
      mark(host, facts.message)
    },
  }
}

function editedMessages(view: View): number[] {
  const messages = new Set<number>()
  for (const block of view.edits.keys()) {
    messages.add(view.session.blocks[block]?.message ?? 0)
  }
  return [...messages].sort((a, b) => a - b)
}

function noneText(total: number): string {
  return total === 0
    ? 'This request carries no messages.'
    : 'This policy changes nothing here: every message is sent as it is.'
}

/**
 * Estimates a row's height in pixels. A rough value is enough, as rows are measured when they are created.
 */
function guessHeight(view: View | null, message: number): number {
  if (view === null) {
    return 0
  }
  const { firstBlock, blocks } = view.session
  let height = 26
  for (let i = firstBlock[message] ?? 0; i < (firstBlock[message + 1] ?? 0); i++) {
    const lines = blocks[i]?.lines ?? 1
    height += view.edits.has(i) ? 190 : 40 + Math.min(8, Math.max(lines, (blocks[i]?.utf16 ?? 0) / 110)) * 19
  }
  return height
}

function mark(host: HTMLElement, message: number): void {
  // The list needs a few frames to finish scrolling.
  setTimeout(() => {
    const element = host.querySelector(`[data-message="${message}"]`)
    element?.classList.add('is-marked')
    setTimeout(() => element?.classList.remove('is-marked'), MARK_MS)
  }, 120)
}
