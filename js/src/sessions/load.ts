import { dataOf, isAmount, readable } from '../base/check.js'
import { isArray, isRecord, type JsonRecord } from '../base/json.js'
import { addEntries, type Content, contentOf } from './entries.js'
import { withoutEphemeral, withoutEphemeralIn } from './ephemeral.js'
import { type Known, memoryOf } from './known.js'
import { isMarked } from './marks.js'
import { mapFields, revive, reviveFields } from './plain.js'
import { storeFailed } from './stores/errors.js'
import type { UsedStore } from './stores/guarded.js'
import type { SessionStore, StoredSession } from './stores/store.js'
import type { LoadedSession, SavedSession } from './types.js'

/**
 * Loads a session; returns `undefined` if it does not exist. A session saved by an older version is migrated, and
 * tool results marked as ephemeral are left out.
 *
 * @throws {TrimtabError} `unsupported_session` if a newer version saved it; `unreadable_session`, `invalid_session`,
 * `store_failed`.
 */
export async function loadSession<M extends object = object>(
  store: SessionStore,
  id: string,
): Promise<LoadedSession<M> | undefined> {
  const memory = memoryOf(store, id, false)
  return memory.turns.run(id, async () => {
    const stored = await readStored(memory.store, id)
    if (stored === undefined) {
      memory.set(id, undefined)
      return undefined
    }
    const { known, merged } = knownOf(id, stored)
    const session = sessionOf<M>(id, known, known.marked)
    const unmerged = stored.unmerged.map((entry) => {
      const content = contentOf(id, entry)
      return sessionOf<M>(id, content, content.messages.some(isMarked))
    })
    // Only now: what could not be read is not loaded, and a save must not replace it.
    const before = memory.get(id)?.known
    const isDurable = before?.isDurable === true && before.version === stored.version
    memory.set(id, { ...known, isDurable })
    memory.mark(id, session.history, known)
    const { repairs, missing } = stored
    return { session, repairs, ...(missing && { missing }), merged, unmerged }
  })
}

/** Builds a session from a store's entries. */
export function knownOf(id: string, stored: StoredSession): { known: Known; merged: number } {
  const [first = '', ...others] = stored.entries
  const isWithout = stored.missing?.checkpoint === true
  const content = isWithout ? { messages: [], fields: {} } : contentOf(id, first)
  const { merged, replaced } = addEntries(id, content, isWithout ? stored.entries : others)
  const known = {
    ...content,
    version: stored.version,
    marked: content.messages.some(isMarked),
    stored: stored.entries.reduce((sum, entry) => sum + entry.length, 0),
    replaced,
    hasRemains: stored.hasRemains === true,
    ...(stored.missing && { missing: stored.missing }),
  }
  return { known, merged }
}

/** Reads a session from a store, which may be one of the host. */
export async function readStored(store: UsedStore, id: string): Promise<StoredSession | undefined> {
  const answer: unknown = await store.read(id)
  if (answer === undefined || answer === null) return undefined
  const stored = readable('store', () => {
    const { missing, ...others } = fieldsOf(answer)
    return dataOf({ ...others, missing: missing ?? undefined })
  })
  if (isStoredSession(stored)) return stored
  throw storeFailed(
    id,
    'was not read',
    'read() of the store must return undefined, or an object with entries, version, repairs and unmerged',
  )
}

function fieldsOf(answer: unknown): JsonRecord {
  const { entries, version, repairs, unmerged, missing, hasRemains } = Object(answer) as JsonRecord
  return { entries, version, repairs, unmerged, missing, hasRemains }
}

function isStoredSession(stored: JsonRecord): stored is JsonRecord & StoredSession {
  const { entries, version, repairs, unmerged, missing } = stored
  const areTexts = [entries, unmerged].every(
    (list) => isArray(list) && list.every((text) => typeof text === 'string'),
  )
  const areRepairs = isArray(repairs) && repairs.every(isRecord)
  return areTexts && areRepairs && typeof version === 'string' && isMissingParts(missing)
}

function isMissingParts(missing: unknown): boolean {
  if (missing === undefined) return true
  if (!isRecord(missing)) return false
  return typeof missing.checkpoint === 'boolean' && isArray(missing.entries) && isAmount(missing.others)
}

/** Returns a session for the host: new objects, which it may change. */
function sessionOf<M extends object>(
  id: string,
  { messages, fields }: Content,
  marked: boolean,
): SavedSession<M> {
  const kept = mapFields(fields, (field) => withoutEphemeralIn(field, fields.format))
  const session = reviveFields(kept, id) as Omit<SavedSession<M>, 'history'>
  const history = revive(messages, id) as M[]
  return { version: 1, ...session, history: marked ? withoutEphemeral(history, session.format) : history }
}
