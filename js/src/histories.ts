import { Session } from './session.js'
import type { Format } from './types.js'

/**
 * The sessions behind the stateless functions: each message knows the session that read it last, so that a host that
 * calls with its growing array pays for what is new alone. A session lives as long as the messages that it read.
 */
const sessions = new WeakMap<object, Session>()

/** A session that has read more than this beyond the common messages belongs to another branch of the history. */
const BRANCH_LENGTH = 4

/** The session that has read most of `messages`, or a new one. Which it is changes the time taken, not the result. */
export function sessionFor(messages: readonly unknown[], format?: Format): Session {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]
    const session = typeof message === 'object' && message !== null ? sessions.get(message) : undefined
    if (session === undefined || session.format !== format) continue
    if (session.length <= i + 1 + BRANCH_LENGTH) return session
  }
  return fresh(format)
}

function fresh(format: Format | undefined): Session {
  const session: Session = new Session(format, (message) => sessions.set(message, session))
  return session
}
