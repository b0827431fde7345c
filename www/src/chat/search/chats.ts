import { foundIn, type Snippet, snippetOf } from './found-in.js'
import type { ReadChats } from './read-chats.js'

/** A stored chat to search, with the ids of its earlier segments. */
export interface Searched {
  readonly id: string
  /** Another number for another content. Earlier segments never change. */
  readonly version: number
  readonly earlier: readonly string[]
}

/** A search. The next one cancels it. */
export interface Search {
  readonly run: number
  readonly text: string
  /** Chats to search, in this order. */
  readonly chats: readonly Searched[]
}

/** A place where a chat contains the text. */
export interface Hit {
  readonly chat: string
  /** Index of the earlier segment; `null` for the current one. */
  readonly segment: number | null
  readonly message: number
  readonly block: number
  readonly snippet: Snippet
}

/** Places listed per chat, newest first, so that one chat cannot fill the list. */
export const HITS_OF_A_CHAT = 3

/** Returns the newest places in a chat and its earlier segments that contain a text, newest first. */
export async function searchChat(chat: Searched, text: string, chats: ReadChats): Promise<Hit[]> {
  const hits: Hit[] = []
  const parts = [
    ...chat.earlier.map((id, segment) => ({ id, segment, version: 0 })),
    { id: chat.id, segment: null, version: chat.version },
  ]
  for (const { id, segment, version } of parts.reverse()) {
    for (const { message, block, text: whole } of await chats.passages(id, version)) {
      const found = foundIn(whole, text)
      if (found === null) continue
      hits.push({ message, block, snippet: snippetOf(whole, found), chat: chat.id, segment })
      if (hits.length === HITS_OF_A_CHAT) return hits
    }
  }
  return hits
}
