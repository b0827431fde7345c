import { isAmount, refuse } from '../base/check.js'
import type { BlockFacts, Format } from '../generated/types.js'
import { History } from '../history/history.js'
import type { MessageCounter } from '../tokens/message-counter.js'

/** Tokens of messages, each measured once. */
export class Sizes {
  readonly #known = new WeakMap<object, number>()
  readonly #counter: MessageCounter | undefined
  readonly #format: Format
  /** Of messages that were made for a view, one at a time. */
  readonly history: History

  constructor(format: Format, counter: MessageCounter | undefined) {
    this.history = new History(format)
    this.#counter = counter
    this.#format = format
  }

  of(message: object): number {
    return this.#known.get(message) ?? this.#learn([message])
  }

  /** Takes over what the engine has measured. */
  add(messages: readonly object[], blocks: readonly BlockFacts[]): void {
    if (this.#counter !== undefined) return
    const tokens = tokensByMessage(messages.length, blocks)
    messages.forEach((message, index) => {
      this.#known.set(message, tokens[index] ?? 0)
    })
  }

  #learn(messages: readonly [object]): number {
    const [message] = messages
    const tokens =
      this.#counter === undefined ? this.#estimate(messages) : this.#counted(messages, this.#counter)
    if (!isAmount(tokens))
      refuse('counter', 'a function that returns tokens by kind, one for each message', tokens)
    this.#known.set(message, tokens)
    return tokens
  }

  #counted(messages: readonly object[], counter: MessageCounter): number {
    return counter(messages, this.#format)?.[0]?.total as number
  }

  #estimate(messages: readonly object[]): number {
    return this.history.usage(messages).total
  }

  free(): void {
    this.history.free()
  }
}

function tokensByMessage(length: number, blocks: readonly BlockFacts[]): number[] {
  const tokens = new Array<number>(length).fill(0)
  for (const block of blocks) tokens[block.message] = (tokens[block.message] ?? 0) + block.tokens
  return tokens
}
