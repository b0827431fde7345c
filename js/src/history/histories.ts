import { BRANCH_LENGTH } from '../base/common-start.js'
import type { Format } from '../generated/types.js'
import { History } from './history.js'

/**
 * The sessions behind functions without a handle: each message knows the session that read it last, so that a host that
 * calls with its growing array pays for what is new alone. A session lives as long as the messages that it read.
 */
export class Histories {
  readonly #sessions = new WeakMap<object, History>()

  /** The session that has read most of `messages`, or a new one. Which it is changes the time taken, not the result. */
  historyFor(messages: readonly unknown[], format?: Format): History {
    for (let i = messages.length - 1; i >= 0; i--) {
      const message = messages[i]
      const known = typeof message === 'object' && message !== null ? this.#sessions.get(message) : undefined
      if (known === undefined || known.format !== format) continue
      if (known.length <= i + 1 + BRANCH_LENGTH) return known
    }
    const fresh: History = new History(format, (message) => this.#sessions.set(message, fresh))
    return fresh
  }
}

const shared = new Histories()

/** The session that all stateless functions use for these messages. */
export function historyFor(messages: readonly unknown[], format?: Format): History {
  return shared.historyFor(messages, format)
}
