import { atOnce } from '../base/at-once.js'
import { dataOf, isAmount, readable, refuse } from '../base/check.js'
import { asArray, asRecord } from '../base/json.js'
import type { BlockFacts, Format, TokensByKind } from '../generated/types.js'
import { History } from '../history/history.js'
import { usage } from '../history/lookups.js'
import type { MessageCounter } from '../tokens/message-counter.js'

type Size = Pick<TokensByKind, 'total' | 'reasoning'>

/** Token counts of messages; each message is measured once. */
export class Sizes {
  readonly #known = new WeakMap<object, Size>()
  readonly #counter: MessageCounter | undefined
  readonly #format: Format
  /** Measures messages made for a view, one at a time. */
  readonly history: History

  constructor(format: Format, counter: MessageCounter | undefined) {
    this.history = new History(format)
    this.#counter = counter
    this.#format = format
  }

  of(message: object): number {
    return this.#of(message).total
  }

  /** Tokens of a message's reasoning. */
  ofReasoning(message: object): number {
    return this.#of(message).reasoning
  }

  #of(message: object): Size {
    return this.#known.get(message) ?? this.#learn([message])
  }

  /** Adds sizes measured by the engine. */
  add(messages: readonly object[], blocks: readonly BlockFacts[]): void {
    if (this.#counter !== undefined) return
    const tokens = sizesByMessage(messages.length, blocks)
    messages.forEach((message, index) => {
      this.#known.set(message, tokens[index] as Size)
    })
  }

  #learn(messages: readonly [object]): Size {
    const [message] = messages
    const size = this.#counter === undefined ? usage(this.history, messages) : this.#counted(messages)
    this.#known.set(message, size)
    return size
  }

  #counted(messages: readonly [object]): Size {
    const counts: unknown = atOnce('counter', this.#counter?.(messages, this.#format))
    const [count] = readable('counter', () => asArray(dataOf(counts)))
    const { total, reasoning = 0 } = asRecord(count) ?? {}
    if (!isAmount(total) || !isAmount(reasoning))
      refuse('counter', 'a function that returns tokens by kind, one for each message', total)
    return { total, reasoning }
  }

  free(): void {
    this.history.free()
  }
}

function sizesByMessage(length: number, blocks: readonly BlockFacts[]): Size[] {
  const sizes = Array.from({ length }, (): Size => ({ total: 0, reasoning: 0 }))
  for (const { message, kind, tokens } of blocks) {
    const size = sizes[message] as Size
    size.total += tokens
    if (kind === 'reasoning') size.reasoning += tokens
  }
  return sizes
}
