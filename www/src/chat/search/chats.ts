import { type Format, readMessages } from 'trimtab'
import type { SavedConversation } from '../agent/conversation.js'
import { foundIn, type Snippet, snippetOf } from './found-in.js'

/** A stored chat to search, with the ids of its earlier segments. */
export interface Searched {
  readonly id: string
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

type Load = (id: string) => Promise<{ conversation: SavedConversation } | undefined>

/** Returns the newest places in a chat and its earlier segments that contain a text, newest first. */
export async function searchChat(chat: Searched, text: string, load: Load): Promise<Hit[]> {
  const hits: Hit[] = []
  const parts = [...chat.earlier.map((id, segment) => ({ id, segment })), { id: chat.id, segment: null }]
  for (const { id, segment } of parts.reverse()) {
    const loaded = await load(id)
    if (loaded === undefined) continue
    for (const hit of hitsIn(loaded.conversation, text)) {
      hits.push({ ...hit, chat: chat.id, segment })
      if (hits.length === HITS_OF_A_CHAT) return hits
    }
  }
  return hits
}

/** Control sequences of terminals: a card does not show them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g

/** Places in messages of any format, newest first: text, reasoning, arguments and results. */
function* hitsIn(
  { messages, format }: { messages: readonly object[]; format: Format },
  wanted: string,
): Generator<Omit<Hit, 'chat' | 'segment'>> {
  const history = readMessages(messages, { format })
  for (const { blocks } of history.messages.toReversed()) {
    for (const block of blocks.toReversed()) {
      const text =
        block.kind === 'tool-call' ? argumentsText(history.argumentsOf(block)) : history.textOf(block)
      const whole = text.replace(ESCAPES, '')
      const found = foundIn(whole, wanted)
      if (found !== null)
        yield { message: block.message, block: block.block, snippet: snippetOf(whole, found) }
    }
  }
}

/** The strings and numbers in arguments, without JSON escapes, so that the content of a written file is found. */
function argumentsText(args: Record<string, unknown> | string): string {
  if (typeof args === 'string') return args
  const texts: string[] = []
  const waiting: unknown[] = [args]
  for (let value = waiting.pop(); value !== undefined || waiting.length > 0; value = waiting.pop()) {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).reverse())
    else if (typeof value === 'number') texts.push(String(value))
  }
  return texts.join('\n')
}
