// A key-value storage that lost entries: the rest is returned, and the loss is reported.
import { loadSession, type SessionStore, saveSession, unstorageStore } from 'trimtab/sessions'
import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { user } from './messages.js'
import { hasRedis, startRedis } from './redis.js'

const turns = (count: number) => Array.from({ length: count }, (_, i) => user(`turn ${i}`))

/** Saves a session five times with one writer: a checkpoint and four turns, under the keys that are returned. */
async function saved() {
  const storage = createStorage()
  const store = unstorageStore({ storage })
  for (let count = 1; count <= 5; count++) await saveSession(store, 's', { history: turns(count) })
  const keys = (await storage.getKeys()).filter((key) => /:\d+$/.test(key)).sort()
  expect(keys).toHaveLength(5)
  return { storage, store, keys }
}

describe('a storage that lost entries', () => {
  test('in the middle returns the others, and reports the missing ones', async () => {
    const { storage, keys } = await saved()
    await storage.removeItem(keys[2] as string)
    const loaded = await loadSession(unstorageStore({ storage }), 's')
    expect(loaded?.session.history).toEqual(turns(5).toSpliced(2, 1))
    const writer = keys[2]?.split(':')[2]
    expect(loaded?.missing).toEqual({ checkpoint: false, entries: [{ writer, from: 3, to: 3 }], others: 0 })
  })

  test('at the start returns the appended messages', async () => {
    const { storage, keys } = await saved()
    await storage.removeItem(keys[0] as string)
    const store = unstorageStore({ storage })
    const loaded = await loadSession(store, 's')
    expect(loaded?.session.history).toEqual(turns(5).slice(1))
    expect(loaded?.missing).toMatchObject({ checkpoint: true, entries: [{ from: 1, to: 1 }] })
    // The session can be continued, and is complete again once it is saved as a whole.
    await saveSession(store, 's', { history: [...turns(5).slice(1), user('more')] })
    expect((await loadSession(store, 's'))?.session.history).toHaveLength(5)
    await saveSession(store, 's', { history: [user('edited')] })
    const again = await loadSession(unstorageStore({ storage }), 's')
    expect(again?.session.history).toEqual([user('edited')])
    expect(again).not.toHaveProperty('missing')
  })

  test('at the start gives the next append a conflict', async () => {
    // Redis with a time to live, or with `maxmemory-policy allkeys-lru`, drops the oldest key.
    const { storage, store, keys } = await saved()
    await storage.removeItem(keys[0] as string)
    expect(await codeOf(saveSession(store, 's', { history: turns(6) }))).toBe('conflict')
    const loaded = await loadSession(store, 's')
    expect(loaded?.missing).toMatchObject({ checkpoint: true })
    expect(loaded?.session.history).toEqual(turns(5).slice(1))
  })

  test('in the middle is noticed by a save without anything new and by a load; an append keeps what follows', async () => {
    const { storage, store, keys } = await saved()
    await storage.removeItem(keys[2] as string)
    expect(await codeOf(saveSession(store, 's', { history: turns(5) }))).toBe('conflict')
    expect(await saveSession(store, 's', { history: turns(6) })).toMatchObject({ written: 'append' })
    const loaded = await loadSession(unstorageStore({ storage }), 's')
    expect(loaded?.session.history).toEqual(turns(6).toSpliced(2, 1))
    expect(loaded?.missing).toMatchObject({ entries: [{ from: 3, to: 3 }] })
    // The writer that has all messages can save them: as a whole once it has loaded what is left.
    await loadSession(store, 's')
    await saveSession(store, 's', { history: turns(6) })
    expect((await loadSession(unstorageStore({ storage }), 's'))?.session.history).toEqual(turns(6))
  })

  test('during a save gives the next save a conflict', async () => {
    const items = new Map<string, string>()
    let isForgetting = false
    const storage = {
      getItem: async (key: string) => items.get(key) ?? null,
      getItems: async (keys: string[]) => keys.map((key) => ({ key, value: items.get(key) ?? null })),
      getKeys: async (base: string) => [...items.keys()].filter((key) => key.startsWith(base)),
      removeItem: async (key: string) => void items.delete(key),
      setItem: async (key: string, value: string) => {
        if (isForgetting && /:\d+$/.test(key)) items.clear()
        items.set(key, value)
      },
    }
    const store = unstorageStore({ storage })
    for (let count = 1; count <= 3; count++) await saveSession(store, 's', { history: turns(count) })
    isForgetting = true
    await saveSession(store, 's', { history: turns(4) })
    isForgetting = false
    expect(await codeOf(saveSession(store, 's', { history: turns(5) }))).toBe('conflict')
    expect((await loadSession(store, 's'))?.missing).toMatchObject({ checkpoint: true })
  })

  test.each([
    ['removed', false],
    ['lost', true],
  ])(
    'reports nothing as missing of a session that was %s and created again by another writer',
    async (_, isForgotten) => {
      const { storage, store } = await saved()
      const other = unstorageStore({ storage })
      if (isForgotten) await storage.clear()
      else await other.remove('s')
      await saveSession(other, 's', { history: [user('new')] })
      expect((await loadSession(store, 's'))?.session.history).toEqual([user('new')])
      for (const history of [
        [user('new'), user('added')],
        [user('edited'), user('added')],
        [user('edited'), user('added'), user('last')],
      ]) {
        expect(await saveSession(store, 's', { history })).toMatchObject({ concurrent: false })
        const again = await loadSession(unstorageStore({ storage }), 's')
        expect(again?.session.history).toEqual(history)
        expect(again).not.toHaveProperty('missing')
      }
      expect(await codeOf(saveSession(other, 's', { history: [user('new'), user('late')] }))).toBe('conflict')
    },
  )

  test('at the end, or all, gives the next append a conflict', async () => {
    const { storage, store, keys } = await saved()
    await storage.removeItem(keys[4] as string)
    expect(await codeOf(saveSession(store, 's', { history: turns(6) }))).toBe('conflict')
    expect((await loadSession(store, 's'))?.session.history).toEqual(turns(4))
    for (const key of keys) await storage.removeItem(key)
    expect(await codeOf(saveSession(store, 's', { history: turns(6) }))).toBe('conflict')
    expect(await loadSession(store, 's')).toBeUndefined()
    await saveSession(store, 's', { history: turns(6) })
    expect((await loadSession(store, 's'))?.session.history).toEqual(turns(6))
  })

  test.each<[string, (keys: string[]) => string[]]>([
    ['all entries lost', (keys) => keys],
    ['the first entry lost', (keys) => keys.slice(0, 1)],
    ['an entry in the middle lost', (keys) => keys.slice(2, 3)],
    ['the last entry lost', (keys) => keys.slice(4)],
  ])('gives a save with nothing new a conflict: %s', async (_, lostOf) => {
    const { storage, store, keys } = await saved()
    expect((await saveSession(store, 's', { history: turns(5) })).written).toBe('nothing')
    for (const key of lostOf(keys)) await storage.removeItem(key)
    expect(await codeOf(saveSession(store, 's', { history: turns(5) }))).toBe('conflict')
    await loadSession(store, 's')
    await saveSession(store, 's', { history: turns(5) })
    await saveSession(store, 's', { history: turns(5) })
    const again = await loadSession(unstorageStore({ storage }), 's')
    for (const turn of turns(5)) expect(again?.session.history).toContainEqual(turn)
  })

  test.skipIf(!hasRedis)(
    'in a restart of Redis gives the next save a conflict, and can be used again after a load',
    async () => {
      const folder = scratchFolder()
      const redis = await startRedis(folder)
      const storage = createStorage({ driver: redisDriver({ path: redis.path }) })
      const store = unstorageStore({ storage })
      for (let count = 1; count <= 3; count++) await saveSession(store, 's', { history: turns(count) })
      await redis.stop()
      const after = await startRedis(folder)
      try {
        expect(await codeOf(saveSession(store, 's', { history: turns(4) }))).toBe('conflict')
        expect(await loadSession(store, 's')).toBeUndefined()
        await saveSession(store, 's', { history: turns(4) })
        expect((await loadSession(unstorageStore({ storage }), 's'))?.session.history).toEqual(turns(4))
      } finally {
        await storage.dispose()
        await after.stop()
      }
    },
  )
})

test('a writer that missed several checkpoints of another gets a conflict', async () => {
  const storage = createStorage()
  const [first, second] = [unstorageStore({ storage }), unstorageStore({ storage })]
  await saveSession(first, 's', { history: turns(1) })
  await loadSession(second, 's')
  await saveSession(second, 's', { history: turns(2) })
  await loadSession(first, 's')
  for (let i = 0; i < 4; i++) await saveSession(first, 's', { history: [user(`edited ${i}`)] })
  // The entry that would follow the last one the second writer has seen is already gone.
  expect(await codeOf(saveSession(second, 's', { history: turns(3) }))).toBe('conflict')
})

/**
 * Storage of two writers that append in turns, the fourth time with an edit or not; and the keys of its entries, oldest
 * first.
 */
async function ofTwo(isEdited: boolean): Promise<{ items: Map<string, string>; keys: string[] }> {
  const items = new Map<string, string>()
  const stores = [0, 1].map(() => unstorageStore({ storage: over(items) }))
  const keys: string[] = []
  for (let count = 1; count <= 7; count++) {
    const store = stores[count % 2] as SessionStore
    await loadSession(store, 's')
    await saveSession(store, 's', { history: isEdited && count > 3 ? editedTurns(count) : turns(count) })
    keys.push(...[...items.keys()].filter((key) => /:\d+$/.test(key) && !keys.includes(key)))
  }
  expect(keys).toHaveLength(7)
  return { items, keys }
}

const editedTurns = (count: number) => [user('edited'), ...turns(count).slice(1)]

const over = (items: Map<string, string>) => ({
  getItem: async (key: string) => items.get(key) ?? null,
  getItems: async (keys: string[]) => keys.map((key) => ({ key, value: items.get(key) ?? null })),
  setItem: async (key: string, value: string) => void items.set(key, value),
  getKeys: async (base: string) => [...items.keys()].filter((key) => key.startsWith(`${base}:`)).sort(),
  removeItem: async (key: string) => void items.delete(key),
})

/**
 * The newest entries may be lost without a trace: a save based on them is a conflict. A lost entry before a remaining
 * one is reported.
 */
test.each([
  ['only added to', false, 0],
  ['edited', true, 3],
])(
  'a load reports each lost entry before a remaining one, of a session that two writers %s',
  async (what, isEdited, start) => {
    const { items, keys } = await ofTwo(isEdited)
    const whole = JSON.stringify(isEdited ? editedTurns(7) : turns(7))
    const ways = Array.from({ length: 2 ** keys.length - 1 }, (_, i) =>
      keys.filter((_, k) => (i & (1 << k)) !== 0),
    )
    const lost = await Promise.all(
      ways.map(async (kept) => {
        const storage = over(new Map([...items].filter(([key]) => !keys.includes(key) || kept.includes(key))))
        const loaded = await loadSession(unstorageStore({ storage }), 's')
        if (kept.length === 0) expect(loaded).toBeUndefined()
        if (kept.includes(keys[start] as string))
          for (const message of loaded?.session.history ?? [])
            expect(whole).toContain(JSON.stringify(message))
        const newest = keys.indexOf(kept.at(-1) ?? '')
        // The remaining entries are older than the edit, which replaced them.
        if (newest < start) return false
        const isLost = keys.slice(start, newest).some((key) => !kept.includes(key))
        expect([kept, loaded?.missing !== undefined]).toEqual([kept, isLost])
        return isLost
      }),
    )
    const told = lost.filter(Boolean).length
    console.log(
      `${what}: ${ways.length} ways to forget, ${told} of them before something that is there, all told`,
    )
    expect(told).toBeGreaterThan(50)
  },
)

const [ONE, TWO] = ['1111111111111111', '2222222222222222']
const record = (head: object, entry: object) => `trimtab ${JSON.stringify(head)}\n${JSON.stringify(entry)}`
const checkpoint = (history: object[]) => ({ type: 'checkpoint', session: { version: 1, history } })
const append = (from: number, message: object) => ({ type: 'append', version: 1, from, messages: [message] })

/**
 * Of two checkpoints at the same time, the one that does not count knew an entry of its writer that the other one did
 * not, and erased it. It is in the session of that checkpoint, which a load returns.
 */
function ofTwoCheckpoints(): Map<string, string> {
  const valid = record({ stamp: 5, covers: { [ONE]: 2, [TWO]: 1 } }, checkpoint([user('valid')]))
  const other = record({ stamp: 4, covers: { [ONE]: 3 } }, checkpoint([user('other'), user('third')]))
  return new Map([
    ['trimtab:s:writers', `trimtab ${ONE} ${TWO}`],
    [`trimtab:s:${TWO}:2`, valid],
    [`trimtab:s:${ONE}:4`, other],
  ])
}

test('an entry that an unmerged checkpoint replaced is not missing', async () => {
  const items = ofTwoCheckpoints()
  const loaded = await loadSession(unstorageStore({ storage: over(items) }), 's')
  expect(loaded?.session.history).toEqual([user('valid')])
  expect(loaded?.unmerged).toMatchObject([{ history: [user('other'), user('third')] }])
  expect(loaded?.missing).toBeUndefined()
  items.set(`trimtab:s:${ONE}:5`, record({ stamp: 6 }, append(1, user('fifth'))))
  const more = await loadSession(unstorageStore({ storage: over(items) }), 's')
  expect(more?.missing).toBeUndefined()
  expect(more?.session.history).toEqual([user('valid'), user('fifth')])
})

test('an entry after what an unmerged checkpoint replaced is missing', async () => {
  const items = ofTwoCheckpoints()
  items.set(`trimtab:s:${ONE}:6`, record({ stamp: 7 }, append(1, user('sixth'))))
  const loaded = await loadSession(unstorageStore({ storage: over(items) }), 's')
  const entries = [{ writer: ONE, from: 5, to: 5 }]
  expect(loaded?.missing).toMatchObject({ checkpoint: false, entries })
})
