import { readable, refuseWith, shown } from '../base/check.js'
import { TrimtabError } from '../base/error.js'
import { isArray, isRecord, type JsonRecord } from '../base/json.js'
import { markEphemeral } from './marks.js'
import type { SavedSession } from './types.js'

/** Current version of {@link SavedSession}. */
export const SESSION_VERSION = 1

/**
 * Converts a session saved by an older version, or by another program, to the current version. Version 0 is a plain
 * list of messages, or an object with `messages`. Content that those marked as ephemeral (`_ephemeral`) gets the mark
 * that {@link cleanupEphemeralMessages} recognises. Other fields are kept.
 *
 * @throws {TrimtabError} `unsupported_session` for a newer version, `invalid_session` if it is not a session.
 */
export function migrateSession<M extends object = object>(saved: unknown): SavedSession<M> {
  return readable(
    'session',
    () => {
      if (isArray(saved)) return { version: SESSION_VERSION, history: markAll<M>(saved) }
      if (!isRecord(saved))
        throw invalid(`a session must be an object or a list of messages, found ${typeof saved}`)
      const { version = 0, ...fields } = saved
      if (version === SESSION_VERSION) return checked<M>({ version: SESSION_VERSION, ...fields })
      if (version !== 0) unsupported(version)
      const { messages, history = messages, ...others } = fields
      if (!isArray(history)) throw invalid('it has no list of messages')
      return { version: SESSION_VERSION, ...others, history: markAll<M>(history) }
    },
    'invalid_session',
  )
}

export function unsupported(version: unknown): never {
  const message = `the session has version ${shown(version)}; this version of trimtab reads up to ${SESSION_VERSION}: update it`
  refuseWith('version', message, 'unsupported_session')
}

function checked<M extends object>(session: JsonRecord): SavedSession<M> {
  const { history } = session
  if (!isArray(history)) throw invalid('its history is not a list of messages')
  const index = history.findIndex((message) => !isRecord(message))
  if (index >= 0) throw invalid(`history[${index}] is not a message object`, index)
  return session as SavedSession<M>
}

function markAll<M extends object>(messages: readonly unknown[]): M[] {
  // A hole in an array is not a message. An array of holes alone can be of any length.
  const index = messages.findIndex((message) => !isRecord(message))
  if (index >= 0) throw invalid(`history[${index}] is not a message object`, index)
  return messages.map((message) => markEphemeral(message as M))
}

function invalid(reason: string, index?: number): TrimtabError {
  const details = index === undefined ? {} : { index }
  return new TrimtabError('invalid_session', `this is not a session: ${reason}`, {
    argument: 'session',
    ...details,
  })
}
