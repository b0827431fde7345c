import { enter } from '../engine/core.js'
import { EDIT_NUMBERS, PLAN_HEAD } from '../generated/protocol.js'
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
    const equal = equalStart(edits, before)
    if (equal === Math.max(edits.length, before.length)) return this.#grown(messages)
    const same = Math.min(firstChange(edits, before, equal), this.#shown.length)
    this.#shown = this.#history.apply<object>(engine, this.#policy, numbers).messages
    this.#read = messages.length
    return { messages: this.#shown, same }
  }

  #grown(messages: readonly object[]): Shown {
    const same = this.#shown.length
    for (const message of messages.slice(this.#read)) this.#shown.push(message)
    this.#read = messages.length
    return { messages: this.#shown, same }
  }
}

/** Number of equal numbers at the start. A loop: there are thousands of them at every request. */
function equalStart(one: Uint32Array, other: Uint32Array): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one[at] === other[at]) at++
  return at
}

/** The first message with an edit that differs, of two plans with `equal` equal numbers; 0 if they remove messages. */
function firstChange(one: Uint32Array, other: Uint32Array, equal: number): number {
  if (one[0] !== 0 || other[0] !== 0) return 0
  // Each edit begins with its message.
  const edit = equal - ((equal - 1) % EDIT_NUMBERS)
  return Math.min(one[edit] ?? Number.POSITIVE_INFINITY, other[edit] ?? Number.POSITIVE_INFINITY)
}
