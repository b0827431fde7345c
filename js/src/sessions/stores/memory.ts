import { check, TEXT } from '../../base/check.js'
import { randomName } from '../../workspace/random-name.js'
import { conflict } from './errors.js'
import type { SessionStore } from './store.js'

/** Stores sessions in memory: for tests, and for sessions that need not outlive the process. */
export function memoryStore(): SessionStore {
  const sessions = new Map<string, { entries: string[]; version: string }>()
  const known = (id: string, version: string) => {
    const session = sessions.get(id)
    if (session === undefined || session.version !== version) throw conflict(id)
    return session
  }
  return {
    read: async (id) => {
      const session = sessions.get(id)
      return session && { ...session, entries: [...session.entries], repairs: [], unmerged: [] }
    },
    append: async (id, entry, version) => {
      check('id', id, TEXT)
      const session = known(id, version)
      session.entries.push(entry)
      session.version = randomName()
      return { version: session.version, concurrent: false }
    },
    replace: async (id, entry, version) => {
      check('id', id, TEXT)
      if (version !== undefined) known(id, version)
      else if (sessions.has(id)) throw conflict(id)
      const session = { entries: [entry], version: randomName() }
      sessions.set(id, session)
      return { version: session.version, concurrent: false }
    },
    list: async () => [...sessions.keys()].sort(),
    remove: async (id) => void sessions.delete(id),
  }
}
