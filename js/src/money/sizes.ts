import { isAmount, refuse } from '../base/check.js'
import type { BlockFacts, Format } from '../generated/types.js'
import { History } from '../history/history.js'

/** Tokens of messages, each measured once. */
export class Sizes {
  readonly #known = new WeakMap<object, number>()
  readonly #measure: ((message: object) => number) | undefined
  readonly #history: History

  constructor(format: Format, measure: ((message: object) => number) | undefined) {
    this.#history = new History(format)
    this.#measure = measure
  }

  of(message: object): number {
    return this.#known.get(message) ?? this.#learn([message])
  }

  /** Takes over what the engine has measured. */
  add(messages: readonly object[], blocks: readonly BlockFacts[]): void {
    if (this.#measure !== undefined) return
    const tokens = tokensByMessage(messages.length, blocks)
    messages.forEach((message, index) => {
      this.#known.set(message, tokens[index] ?? 0)
    })
  }

  #learn(messages: readonly [object]): number {
    const [message] = messages
    const tokens = this.#measure === undefined ? this.#estimate(messages) : this.#measure(message)
    if (!isAmount(tokens)) refuse('measure', 'a function that returns numbers of tokens', tokens)
    this.#known.set(message, tokens)
    return tokens
  }

  #estimate(messages: readonly object[]): number {
    return this.#history.usage(messages).total
  }

  free(): void {
    this.#history.free()
  }
}

function tokensByMessage(length: number, blocks: readonly BlockFacts[]): number[] {
  const tokens = new Array<number>(length).fill(0)
  for (const block of blocks) tokens[block.message] = (tokens[block.message] ?? 0) + block.tokens
  return tokens
}
