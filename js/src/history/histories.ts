import { checkMessages, isList, readable } from '../base/check.js'
import { BRANCH_LENGTH } from '../base/common-start.js'
import type { Format } from '../generated/types.js'
import { History } from './history.js'

/**
 * The sessions of functions without a handle. Each message is mapped to the session that read it last, so a
 * host that passes its growing array pays only for the new messages. A session lives as long as the messages
 * that it read.
 */
export class Histories {
  readonly #sessions = new WeakMap<object, History>()

  /**
   * Returns the session that has read most of `messages`, or a new one. The choice affects the time, not the
   * result.
   */
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

/** Returns the session that all stateless functions share for these messages. */
export function historyFor(messages: readonly unknown[], format?: Format): History {
  return shared.historyFor(messages, format)
}

/**
 * As {@link historyFor}, for a list of the host that was not read as `checkMessages` does: of a long list whose messages
 * are known, only the new ones are copied.
 *
 * @throws {TrimtabError} `invalid_messages`.
 */
export function historyOf(messages: readonly object[], format?: Format, histories = shared): History {
  const find = () => {
    if (!isList(messages)) checkMessages(messages)
    return histories.historyFor(messages, format)
  }
  return readable('messages', find, 'invalid_messages')
}
