// Values that JSON does not have are stored as objects with one field: damaged ones are an error, and a host's own fields
// with such names are kept.
import { loadSession, memoryStore, type SessionStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { loadedFrom, user } from './messages.js'

/** A store in which a field of a message was changed to this stored value. */
async function storeWith(stored: object): Promise<SessionStore> {
  const store = memoryStore()
  await saveSession(store, 's', { history: [{ ...user('a'), field: 'PLACE' }] })
  const read = async (id: string) => {
    const found = await store.read(id)
    const entries = found?.entries.map((entry) => entry.replace('"PLACE"', JSON.stringify(stored)))
    return found && { ...found, entries: entries ?? [] }
  }
  return { ...store, read }
}

const DAMAGED = [
  { $bytes: '!!' },
  { $bytes: 'AAAAA' },
  { $url: '::' },
  { $date: 'x' },
  { $date: '' },
  { $object: { at: { $date: '2026-13-41' } } },
  { $summary: { role: 'user', content: [{ $bytes: '!!' }] } },
]

describe.each(DAMAGED)('a damaged value, %o', (value) => {
  test('is an error of the load, and no save replaces the session', async () => {
    const store = await storeWith(value)
    const error = { name: 'TrimtabError', code: 'unreadable_session' }
    await expect(loadSession(store, 's')).rejects.toMatchObject(error)
    await expect(loadSession(store, 's')).rejects.toThrow(/session "s" cannot be read: .*stands for no value/)
    await expect(saveSession(store, 's', { history: [user('b')] })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('in a field of the session is an error too', async () => {
    const store = memoryStore()
    await saveSession(store, 's', { history: [], field: 'PLACE' })
    const found = await store.read('s')
    const entries = found?.entries.map((entry) => entry.replace('"PLACE"', JSON.stringify(value))) as string[]
    const changed = { ...store, read: async () => found && { ...found, entries } }
    await expect(loadSession(changed, 's')).rejects.toMatchObject({ code: 'unreadable_session' })
  })
})

test.each([{ $bytes: 5 }, { $url: null }, { $date: [] }, { $object: 5 }, { $object: null }, { $summary: 5 }])(
  'a stored object that only looks like one is kept as it is: %o',
  async (value) => {
    const store = await storeWith(value)
    const [message] = await loadedFrom(store)
    expect(message).toEqual({ ...user('a'), field: value })
    await saveSession(store, 's', { history: [message as object, user('b')] })
    expect(await loadedFrom(store)).toEqual([message, user('b')])
  },
)

test('an invalid date is still saved', async () => {
  const store = memoryStore()
  const history = [{ ...user('a'), at: new Date(Number.NaN) }]
  await saveSession(store, 's', { history })
  expect(await loadedFrom(store)).toEqual(history)
})

describe.each(['$bytes', '$date', '$url', '$object', '$summary'])('a field %s of a session', (name) => {
  test.each(['AAA=', 5, { messages: [user('q')] }, { $bytes: 'AAA=' }, Uint8Array.of(1), new Date(5)])(
    'is kept: %o',
    async (value) => {
      const store = memoryStore()
      const session = { version: 1 as const, history: [user('a')], [name]: value }
      await saveSession(store, 's', session)
      const loaded = await loadSession({ ...store }, 's')
      expect(loaded?.session).toEqual(session)
      const more = { ...session, history: [...session.history, user('b')] }
      expect((await saveSession(store, 's', more)).written).toBe('append')
      expect((await loadSession(store, 's'))?.session).toEqual(more)
    },
  )
})
