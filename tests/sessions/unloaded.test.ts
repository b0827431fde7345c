// Saves of a writer that has not loaded the session, and saves that follow a first save that failed: nothing of another
// writer is overwritten, and nothing of the host's own is taken for another writer's.
import { TrimtabError } from 'trimtab'
import { loadSession, type SavedSession, type SessionStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { assistant, loadedFrom, user } from './messages.js'
import { places } from './stores.js'

const told = (save: Promise<{ written: string }>): Promise<string> =>
  save.then(
    ({ written }) => written,
    (error: unknown) => (error instanceof TrimtabError ? error.code : String(error)),
  )

const sessionIn = async (store: SessionStore) => (await loadSession(store, 's'))?.session

describe.each(places)('%s: fields that were never loaded', (_, make) => {
  const stored: SavedSession = {
    version: 1,
    history: [user('a')],
    usage: { input: 40 },
    archive: [user('precious')],
  }
  test.each<[string, Partial<SavedSession>]>([
    ['are missing in the save', { history: [user('a'), user('b')] }],
    ['are missing in a save without new messages', { history: [user('a')] }],
    ['have other values', { ...stored, history: [user('a'), user('b')], usage: { input: 1 } }],
    ['are missing, and others are new', { ...stored, archive: undefined, state: 1 }],
  ])('that %s are a conflict', async (_, change) => {
    const place = make()
    await saveSession(place.open(), 's', stored)
    const store = place.open()
    const save = saveSession(store, 's', { history: [], ...change })
    await expect(save).rejects.toMatchObject({ code: 'conflict', isWritten: false })
    await expect(saveSession(store, 's', { history: [], ...change })).rejects.toThrow(/same store object/)
    expect(await sessionIn(place.open())).toEqual(stored)
    await loadSession(store, 's')
    expect(await told(saveSession(store, 's', { history: [], ...change }))).not.toBe('conflict')
  })

  test('of a session without messages are a conflict', async () => {
    const place = make()
    await saveSession(place.open(), 's', { history: [], archive: [user('precious')] })
    expect(await told(saveSession(place.open(), 's', { history: [] }))).toBe('conflict')
  })

  test('are kept by a save that has them all, with new fields and messages', async () => {
    const place = make()
    await saveSession(place.open(), 's', stored)
    const now = { ...stored, history: [user('a'), user('b')], state: 1 }
    expect(await told(saveSession(place.open(), 's', now))).toBe('append')
    expect(await sessionIn(place.open())).toEqual(now)
  })
})

/** How a save fails: before it is stored, or after. */
type Failure = 'stored' | 'not stored' | 'stored, and told so'

/** A store whose first write fails. */
function failingOnce(store: SessionStore, failure: Failure): SessionStore {
  let isFirst = true
  const failing =
    (write: (...args: never[]) => Promise<unknown>) =>
    async (...args: never[]) => {
      if (!isFirst) return write(...args)
      isFirst = false
      if (failure !== 'not stored') await write(...args)
      const details = failure === 'stored, and told so' ? { isWritten: true } : {}
      throw new TrimtabError('store_failed', 'injected', details)
    }
  const { append, replace } = store
  return { ...store, append: failing(append) as never, replace: failing(replace) as never }
}

const FAILURES: Failure[] = ['stored', 'not stored', 'stored, and told so']
const CHANGES: [string, (history: object[]) => object[]][] = [
  ['the same', (history) => history],
  ['an addition', (history) => [...history, user('c')]],
  ['an undo', (history) => history.slice(0, -1)],
  ['other messages', () => [user('z')]],
  ['no messages', () => []],
  ['an edit in place', ([first, ...others]) => [Object.assign(first as object, { edited: true }), ...others]],
]

describe.each(places)('%s: after a first save that fails', (_, make) => {
  describe.each(FAILURES)('%s', (failure) => {
    test.each(CHANGES)('%s is saved', async (_, change) => {
      const place = make()
      const store = failingOnce(place.open(), failure)
      const history: object[] = [user('a'), assistant('b')]
      expect(await told(saveSession(store, 's', { history, usage: 1 }))).toBe('store_failed')
      const next = change(history)
      expect(await told(saveSession(store, 's', { history: next, usage: 2 }))).not.toBe('conflict')
      expect(await told(saveSession(store, 's', { history: next, usage: 2 }))).toBe('nothing')
      expect(await sessionIn(place.open())).toEqual({ version: 1, history: next, usage: 2 })
    })

    test('what another writer saved is a conflict', async () => {
      const place = make()
      const store = failingOnce(place.open(), failure)
      const history: object[] = [user('a'), assistant('b')]
      await told(saveSession(store, 's', { history }))
      const other = place.open()
      const others = [...(await loadedFrom(other)), user('of another')]
      await saveSession(other, 's', { history: others })
      expect(await told(saveSession(store, 's', { history: [user('z')] }))).toBe('conflict')
      expect(await loadedFrom(place.open())).toEqual(others)
    })
  })

  test.each(FAILURES)('an edit of what was stored and never loaded is a conflict: %s', async (failure) => {
    const place = make()
    await saveSession(place.open(), 's', { history: [user('a')], archive: 1 })
    const store = failingOnce(place.open(), failure)
    const history = [user('a'), user('b')]
    expect(await told(saveSession(store, 's', { history, archive: 1 }))).toBe('store_failed')
    const isStored = failure !== 'not stored'
    // What it saved itself it may change.
    expect(await told(saveSession(store, 's', { history: [user('z')] }))).toBe(
      isStored ? 'checkpoint' : 'conflict',
    )
    if (!isStored) expect(await told(saveSession(store, 's', { history, archive: 1 }))).toBe('append')
  })
})
