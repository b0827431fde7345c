import { type Signal, signal } from '@preact/signals'

const NAME = 'trimtab.composed'
const EDITED = 'trimtab.edited'

/** The text of the composer, not yet sent. */
export const composed = signal(read(NAME))

/** The texts of messages that are being edited, not yet sent; `null` for messages that are not. */
const edited = new Map<string, Signal<string | null>>(
  Object.entries(readEdited()).map(([name, text]) => [name, signal<string | null>(text)]),
)

/** Returns the text to which the user edits a message: it outlives the message's row, and a reload of the tab. */
export function editedText(chat: string, message: number): Signal<string | null> {
  const name = `${chat} ${message}`
  const known = edited.get(name) ?? signal<string | null>(null)
  edited.set(name, known)
  return known
}

/** Keeps the texts that are not yet sent over a reload of the tab. */
export function keepComposed(): void {
  addEventListener('pagehide', store)
  // A browser may end a hidden tab without an event.
  document.addEventListener('visibilitychange', store)
  addEventListener('beforeunload', (event) => {
    if (!store()) event.preventDefault()
  })
}

/** Returns whether the browser stores the texts. */
function store(): boolean {
  const texts = [...edited].flatMap(([name, { value }]) => (value === null ? [] : [[name, value] as const]))
  const isComposedKept = write(NAME, composed.peek())
  return write(EDITED, texts.length === 0 ? '' : JSON.stringify(Object.fromEntries(texts))) && isComposedKept
}

/** Stores a text. If the browser refuses, as it does with one of some megabytes, the text before it is removed. */
function write(name: string, text: string): boolean {
  try {
    sessionStorage.removeItem(name)
    if (text !== '') sessionStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

function read(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

function readEdited(): Record<string, string> {
  try {
    return (JSON.parse(read(EDITED)) ?? {}) as Record<string, string>
  } catch {
    return {}
  }
}

/**
 * Returns a text as it is sent, without white space around it. The first of several lines keeps its indentation: they
 * may be code.
 */
export function asSent(text: string): string {
  const trimmed = text.trim()
  return trimmed.includes('\n') ? text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd() : trimmed
}
