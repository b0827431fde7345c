import { nextTask } from '../next-task.js'
import { type Hit, type Search, searchChat } from '../search/chats.js'
import type { Told } from './protocol.js'

/** Limit of places in total. */
const MOST_HITS = 60

/** The current run; the next one cancels it. */
let wanted = 0

/** Searches stored chats one after the other, and reports the places in each. */
export async function search({ run, text, chats }: Search, tell: (told: Told) => void): Promise<void> {
  wanted = run
  const { load } = await import('./keeping.js')
  let count = 0
  for (const chat of chats) {
    await nextTask()
    if (wanted !== run) return
    const hits: readonly Hit[] = await searchChat(chat, text, load)
    if (wanted !== run) return
    count += hits.length
    if (hits.length > 0) tell({ kind: 'found', run, hits })
    if (count >= MOST_HITS) break
  }
  tell({ kind: 'searched', run })
}
