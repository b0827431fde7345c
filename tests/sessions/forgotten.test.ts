// A key-value storage that forgot entries: what is there is given, and what is missing is said.
import { loadSession, saveSession, unstorageStore } from 'trimtab/sessions'
import { createStorage } from 'unstorage'
import redisDriver from 'unstorage/drivers/redis'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { user } from './messages.js'
import { hasRedis, startRedis } from './redis.js'

const turns = (count: number) => Array.from({ length: count }, (_, i) => user(`turn ${i}`))

/** A session of five saves by one writer: a checkpoint and four turns, under the keys that are returned. */
async function saved() {
  const storage = createStorage()
  const store = unstorageStore({ storage })
  for (let count = 1; count <= 5; count++) await saveSession(store, 's', { history: turns(count) })
  const keys = (await storage.getKeys()).filter((key) => /:\d+$/.test(key)).sort()
  expect(keys).toHaveLength(5)
  return { storage, store, keys }
}

describe('a storage that forgot', () => {
  test('turns in the middle gives the others, and names what is missing', async () => {
    const { storage, keys } = await saved()
    await storage.removeItem(keys[2] as string)
    const loaded = await loadSession(unstorageStore({ storage }), 's')
    expect(loaded?.session.history).toEqual(turns(5).toSpliced(2, 1))
    const writer = keys[2]?.split(':')[2]
    expect(loaded?.missing).toEqual({ checkpoint: false, entries: [{ writer, from: 3, to: 3 }] })
  })

  test('what the session began with gives what was added', async () => {
    const { storage, keys } = await saved()
    await storage.removeItem(keys[0] as string)
    const store = unstorageStore({ storage })
    const loaded = await loadSession(store, 's')
    expect(loaded?.session.history).toEqual(turns(5).slice(1))
    expect(loaded?.missing).toMatchObject({ checkpoint: true, entries: [{ from: 1, to: 1 }] })
    // It goes on from there, and is whole again once it is saved as a whole.
    await saveSession(store, 's', { history: [...turns(5).slice(1), user('more')] })
    expect((await loadSession(store, 's'))?.session.history).toHaveLength(5)
    await saveSession(store, 's', { history: [user('edited')] })
    const again = await loadSession(unstorageStore({ storage }), 's')
    expect(again?.session.history).toEqual([user('edited')])
    expect(again).not.toHaveProperty('missing')
  })

  test('the last turn, or all, is a conflict for who goes on from it', async () => {
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

  test.skipIf(!hasRedis)('because it was killed and keeps nothing', async () => {
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
  })
})

test('who missed several checkpoints of another is told so', async () => {
  const storage = createStorage()
  const [first, second] = [unstorageStore({ storage }), unstorageStore({ storage })]
  await saveSession(first, 's', { history: turns(1) })
  await loadSession(second, 's')
  await saveSession(second, 's', { history: turns(2) })
  await loadSession(first, 's')
  for (let i = 0; i < 4; i++) await saveSession(first, 's', { history: [user(`edited ${i}`)] })
  // The entry that would have followed on what the second has seen is gone already.
  expect(await codeOf(saveSession(second, 's', { history: turns(3) }))).toBe('conflict')
})
