import { TrimtabError } from '../../base/error.js'

export function conflict(id: string, cause?: unknown): TrimtabError {
  const message = `session ${JSON.stringify(id)} was changed by another writer, and nothing was saved: load it, add to what it then holds, and save again`
  return new TrimtabError('conflict', message, { argument: 'id', cause })
}

export function storeFailed(id: string, what: string, cause: unknown): TrimtabError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new TrimtabError('store_failed', `session ${JSON.stringify(id)} ${what}: ${reason}`, { cause })
}

export function unreadable(id: string, reason: string, line?: number): TrimtabError {
  const details = line === undefined ? {} : { line }
  return new TrimtabError(
    'unreadable_session',
    `session ${JSON.stringify(id)} cannot be read: ${reason}`,
    details,
  )
}
