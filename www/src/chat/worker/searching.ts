import { nextTask } from '../next-task.js'
import { type Search, searchChat } from '../search/chats.js'
import { ReadChats } from '../search/read-chats.js'
import type { Told } from './protocol.js'

/** Limit of places in total. */
const MOST_HITS = 60

/** The current run; the next one cancels it. */
let wanted = 0
/** What earlier searches read. The worker ends when the field is empty. */
let read: ReadChats | null = null

/** Searches stored chats one after the other, and reports the places in each. */
export async function search({ run, text, chats }: Search, tell: (told: Told) => void): Promise<void> {
  wanted = run
  const { load } = await import('./keeping.js')
  read ??= new ReadChats(load)
  let count = 0
  for (const chat of chats) {
    await nextTask()
    if (wanted !== run) return
    const hits = await searchChat(chat, text, read)
    if (wanted !== run) return
    count += hits.length
    if (hits.length > 0) tell({ kind: 'found', run, hits })
    if (count >= MOST_HITS) break
  }
  tell({ kind: 'searched', run })
}
