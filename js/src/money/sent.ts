import { isAlike } from '../base/common-start.js'
import type { Shown } from '../history/growing-views.js'
import { sentOrder } from './sent-order.js'
import type { Recorded } from './session.js'
import { Strays } from './strays.js'

/** What a request has in common with the previous one. */
export interface Step {
  /** Tokens of the common prefix. */
  cached: number
  tokens: number
  /** Tokens of reasoning. */
  reasoning: number
  /** Whether something that was sent before is changed or removed. */
  isRewrite: boolean
}

/** The previous request, with the tokens up to each of its messages. */
export class Sent {
  readonly strays: Strays
  /** A copy, because the given array may grow. */
  readonly #messages: object[] = []
  /** `#upTo[i]`: tokens before message `i`. */
  readonly #upTo: number[]
  /** Tokens of reasoning before each message. */
  readonly #reasoningUpTo = [0]
  readonly #recorded: Recorded
  #isFirst = true

  constructor(recorded: Recorded, systemTokens: number) {
    this.#recorded = recorded
    this.strays = new Strays(recorded)
    this.#upTo = [systemTokens]
  }

  next({ messages, same: known }: Shown): Step {
    const same = commonPrefix(this.#messages, messages, known)
    const isRewrite = same < this.#messages.length
    const part = partInCommon(this.#messages[same], messages[same])
    const within = part === undefined ? 0 : this.#recorded.sizes.of(part)
    const cached = this.#isFirst ? 0 : (this.#upTo[same] as number) + within
    this.#forget(same)
    for (let i = same; i < messages.length; i++) this.#add(messages[i] as object, i)
    this.#isFirst = false
    const tokens = this.#upTo.at(-1) as number
    return { cached, tokens, reasoning: this.#reasoningUpTo.at(-1) as number, isRewrite }
  }

  #forget(length: number): void {
    this.#upTo.length = length + 1
    this.#reasoningUpTo.length = length + 1
    this.#messages.length = length
    this.strays.forget(length)
  }

  #add(message: object, place: number): void {
    const { messages, sizes } = this.#recorded
    this.#upTo.push((this.#upTo.at(-1) as number) + sizes.of(message))
    this.#reasoningUpTo.push((this.#reasoningUpTo.at(-1) as number) + sizes.ofReasoning(message))
    this.#messages.push(message)
    if (message !== messages[place]) this.strays.push(message, place)
  }
}

/** Contents are compared: a policy may create equal stubs again at each request. */
function commonPrefix(before: readonly unknown[], after: readonly unknown[], known = 0): number {
  const length = Math.min(before.length, after.length)
  let same = Math.min(known, length)
  while (same < length && isAlike(before[same], after[same])) same++
  return same
}

/**
 * The common first pieces of two messages, as a message: one message can have several results of a step, and
 * a cache holds all up to the first changed one.
 */
function partInCommon(one: object | undefined, other: object | undefined): object | undefined {
  if (one === undefined || other === undefined) return undefined
  const [before, after] = [sentOrder(one), sentOrder(other)]
  if (before === undefined || after === undefined) return undefined
  const same = commonPrefix(before.pieces, after.pieces)
  return same === 0 ? undefined : after.first(same)
}
