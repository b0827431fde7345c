import { called, check, TEXT } from '../../base/check.js'
import { reasonOf, TrimtabError, type TrimtabErrorDetails } from '../../base/error.js'

export function conflict(id: string, cause?: unknown): TrimtabError {
  const message = `session ${JSON.stringify(id)} was changed by another writer, and nothing was saved: load it, add to what it then holds, and save again`
  return new TrimtabError('conflict', message, { argument: 'id', isWritten: false, cause })
}

/** A conflict of a save that never loaded the session. */
export function notLoaded(id: string): TrimtabError {
  const message = `session ${JSON.stringify(id)} has data that was not loaded with this store object, and nothing was saved: load it with the same store object, add to what it then holds, and save again`
  return new TrimtabError('conflict', message, { argument: 'id', isWritten: false })
}

/** Checks the text of a version before it is parsed. */
export const checkVersion = (version: unknown): string =>
  check('version', version, called(TEXT, 'the version that this store returned'))

/** @param details For a failed write: whether it was stored. */
export function storeFailed(
  id: string,
  what: string,
  error: unknown,
  details: TrimtabErrorDetails = { cause: error },
): TrimtabError {
  const reason = reasonOf(error)
  const outcome = details.isWritten === true ? 'was saved, but not all that belongs to it was done' : what
  return new TrimtabError('store_failed', `session ${JSON.stringify(id)} ${outcome}: ${reason}`, details)
}

export function unreadable(id: string, reason: string, line?: number): TrimtabError {
  const details = line === undefined ? {} : { line }
  return new TrimtabError(
    'unreadable_session',
    `session ${JSON.stringify(id)} cannot be read: ${reason}`,
    details,
  )
}
