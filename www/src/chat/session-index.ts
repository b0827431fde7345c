import { signal } from '@preact/signals'
import { readStored, writeStored } from '../storage.js'
import type { Member } from './agent/variants.js'
import { notice } from './opening.js'

/** A conversation in the list. */
export interface SessionEntry extends Member {
  readonly title: string
  /** Time of the last change, in milliseconds since 1970. */
  readonly updated: number
  /** Number of saves that changed something: by it another tab sees that its copy is old. */
  readonly saves?: number
  /** Ids of its earlier segments. */
  readonly earlier?: readonly string[]
}

const INDEX = 'trimtab.chats'
/** The conversations stored in this browser, newest first. */
export const sessions = signal<readonly SessionEntry[]>(read() ?? [])

/** Returns the entry of a conversation, without subscribing to the list. */
export const entryOf = (id: string) => sessions.peek().find((entry) => entry.id === id)

/** Number of saves of a conversation, as stored now: this tab may not have heard of the last ones. */
export const savesOf = (id: string): number => read()?.find((entry) => entry.id === id)?.saves ?? 0

/** Adds a conversation to the list, or replaces its entry. */
export const keepEntry = (entry: SessionEntry) => change((entries) => [entry, ...without(entries, entry.id)])

export const dropEntry = (id: string) => change((entries) => without(entries, id))

/** Calls the listener after another tab changed the list, which is then the new one. */
export function onOtherTab(listener: () => void): void {
  addEventListener('storage', ({ key }) => {
    const entries = read()
    if (key !== INDEX || entries === null) return
    sessions.value = entries
    listener()
  })
}

const without = (entries: readonly SessionEntry[], id: string) => entries.filter((entry) => entry.id !== id)

/** Changes the list as it is stored now: this tab's copy may lack what another tab has just added. */
function change(work: (entries: readonly SessionEntry[]) => readonly SessionEntry[]): void {
  sessions.value = [...work(read() ?? sessions.peek())].sort((a, b) => b.updated - a.updated)
  if (writeStored(INDEX, JSON.stringify(sessions.peek()))) return
  notice.value =
    'This browser does not let the page store the list of chats: they are listed here until the page is closed. The address of this page still opens this chat.'
}

/** The stored list; `null` if there is none that can be read. */
function read(): SessionEntry[] | null {
  try {
    const saved: unknown = JSON.parse(readStored(INDEX) ?? 'null')
    return Array.isArray(saved) ? saved.filter(isEntry) : null
  } catch {
    return null
  }
}

function isEntry(value: unknown): value is SessionEntry {
  const { id, title: name, updated } = (value ?? {}) as Partial<SessionEntry>
  return typeof id === 'string' && typeof name === 'string' && typeof updated === 'number'
}
