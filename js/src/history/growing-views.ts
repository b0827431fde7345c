import { enter } from '../engine/core.js'
import { PLAN_HEAD } from '../generated/protocol.js'
import type { PreparedPolicy } from '../policy/prepared-policy.js'
import type { History } from './history.js'

/** The messages of a request. */
export interface Shown {
  messages: readonly object[]
  /** Number of leading messages that are those of the previous request, as far as it had so many. */
  same: number
}

/**
 * The views of a session as it grows, the same as those of a `Context` without calibration. While the edits stay the
 * same, a view is the one before with the new messages.
 */
export class GrowingViews {
  readonly #history: History
  readonly #policy: PreparedPolicy
  #shown: object[] = []
  #read = 0
  #edits: Uint32Array = new Uint32Array()

  constructor(history: History, policy: PreparedPolicy) {
    this.#history = history
    this.#policy = policy
  }

  next(messages: readonly object[], idle: number): Shown {
    const engine = this.#history.follow(messages)
    const compiled = this.#policy.compiled()
    const { host, seen } = this.#history
    const numbers = enter(() => engine.plan(host, seen, compiled, -1, idle, 0))
    // The head ends with the number of removed messages; these and the edits follow.
    const edits = numbers.subarray(PLAN_HEAD - 1)
    const before = this.#edits
    this.#edits = edits
    if (isEqual(edits, before)) return this.#grown(messages)
    this.#shown = this.#history.apply<object>(engine, this.#policy, numbers).messages
    this.#read = messages.length
    return { messages: this.#shown, same: 0 }
  }

  #grown(messages: readonly object[]): Shown {
    const same = this.#shown.length
    for (const message of messages.slice(this.#read)) this.#shown.push(message)
    this.#read = messages.length
    return { messages: this.#shown, same }
  }
}

/** A loop: there are thousands of numbers at every request. */
function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false
  return true
}
