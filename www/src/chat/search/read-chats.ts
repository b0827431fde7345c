import { type Format, readMessages } from 'trimtab'
import type { SavedConversation } from '../agent/saved-conversation.js'
import { readable } from '../content/terminal.js'

/** A text of a stored chat, and where it is. */
export interface Passage {
  readonly message: number
  readonly block: number
  readonly text: string
}

/** Size of all texts that are remembered, in UTF-16 units. */
const MOST = 32_000_000

interface Kept {
  readonly version: number
  readonly passages: readonly Passage[]
  readonly size: number
}

type Load = (id: string) => Promise<{ conversation: SavedConversation } | undefined>

/**
 * The texts of stored chats. Those read last are remembered, up to a total size: with each character of a query all
 * chats would be read again.
 */
export class ReadChats {
  /** The oldest use first. */
  readonly #kept = new Map<string, Kept>()
  readonly #load: Load
  readonly #most: number
  #size = 0

  constructor(load: Load, most = MOST) {
    this.#load = load
    this.#most = most
  }

  /**
   * Returns the texts of a chat, newest first; none if it is not stored.
   *
   * @param version What was read under another one is read again.
   */
  async passages(id: string, version: number): Promise<readonly Passage[]> {
    const known = this.#kept.get(id)
    if (known !== undefined) this.#forget(id, known)
    if (known?.version === version) return this.#keep(id, known)
    const loaded = await this.#load(id)
    if (loaded === undefined) return []
    const passages = [...passagesIn(loaded.conversation)]
    const size = passages.reduce((sum, { text }) => sum + text.length, 0)
    return this.#keep(id, { version, passages, size })
  }

  #keep(id: string, kept: Kept): readonly Passage[] {
    if (kept.size > this.#most) return kept.passages
    this.#kept.set(id, kept)
    this.#size += kept.size
    for (const [oldest, one] of this.#kept) {
      if (this.#size <= this.#most) break
      this.#forget(oldest, one)
    }
    return kept.passages
  }

  #forget(id: string, { size }: Kept): void {
    this.#kept.delete(id)
    this.#size -= size
  }
}

/** Texts of messages of any format, newest first: text, reasoning, arguments and results. */
function* passagesIn({
  messages,
  format,
}: {
  messages: readonly object[]
  format: Format
}): Generator<Passage> {
  const history = readMessages(messages, { format })
  for (const { blocks } of history.messages.toReversed()) {
    for (const block of blocks.toReversed()) {
      const text =
        block.kind === 'tool-call' ? argumentsText(history.argumentsOf(block)) : history.textOf(block)
      yield { message: block.message, block: block.block, text: readable(text) }
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
