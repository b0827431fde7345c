import { guardOf } from '../../workspace/write-failure.js'
import { storeFailed } from './errors.js'
import type { SessionStore } from './store.js'

/** What a session needs of a store. */
export type UsedStore = Required<Pick<SessionStore, 'read' | 'append' | 'replace' | 'sync'>>

/**
 * Returns a store whose errors are `TrimtabError`s: a store of the host may throw anything, also where it should reject.
 * Whether a failed write was stored is not known then.
 */
export function guarded(store: SessionStore): UsedStore {
  const guard = guardOf(storeFailed)
  // The methods are looked up at each call, as without a guard.
  return {
    read: (id) => guard(id, 'cannot be read', async () => store.read(id)),
    append: (id, ...rest) => guard(id, NOT_SAVED, async () => store.append(id, ...rest)),
    replace: (id, ...rest) => guard(id, NOT_SAVED, async () => store.replace(id, ...rest)),
    sync: (id) => guard(id, NOT_SYNCED, async () => store.sync?.(id), SAVED),
  }
}

const NOT_SAVED = 'may not have been saved'
const NOT_SYNCED = 'cannot be synced'
const SAVED = (cause: unknown) => ({ isWritten: true, cause })
