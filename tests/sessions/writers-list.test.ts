// The list of writers in a key-value storage is the one key that all of them write: a slow one may take a name from it.
import { type KeyValueStorage, loadSession, saveSession, unstorageStore } from 'trimtab/sessions'
import { expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { loadedFrom, user } from './messages.js'

const LIST = 'trimtab:s:writers'
const START = [user('start')]

/** A storage over a map. */
function over(items: Map<string, string>): KeyValueStorage & { listings(): number } {
  let listings = 0
  return {
    getItem: async (key) => items.get(key) ?? null,
    getItems: async (keys) => keys.map((key) => ({ key, value: items.get(key) ?? null })),
    setItem: async (key, value) => void items.set(key, value),
    getKeys: async (base) => {
      listings++
      return [...items.keys()].filter((key) => key.startsWith(`${base}:`)).sort()
    },
    removeItem: async (key) => void items.delete(key),
    listings: () => listings,
  }
}

/** A storage whose writes wait until `next` lets one through. */
function slow(items: Map<string, string>) {
  const storage = over(items)
  const waiting: { key: string; go: () => void }[] = []
  const setItem = async (key: string, value: string) => {
    await new Promise<void>((go) => waiting.push({ key, go }))
    await storage.setItem(key, value)
  }
  /** Lets the next write through; returns its key. */
  const next = async () => {
    await expect.poll(() => waiting.length).toBe(1)
    const write = waiting.shift()
    write?.go()
    return write?.key
  }
  return {
    storage: { ...storage, setItem },
    next,
    isWaiting: () => expect.poll(() => waiting.length).toBe(1),
  }
}

test('a save sees what a writer stored whose name a slow first save took from the list', async () => {
  const items = new Map<string, string>()
  const open = () => unstorageStore({ storage: over(items) })
  const [old, fresh, quick] = [open(), open(), open()]
  await saveSession(old, 's', { history: START })
  const late = slow(items)
  const lateStore = unstorageStore({ storage: late.storage })
  const loaded = await Promise.all([fresh, quick, lateStore].map((store) => loadedFrom(store)))
  const [ofFresh = [], ofQuick = [], ofLate = []] = loaded
  const saving = saveSession(lateStore, 's', { history: [...ofLate, user('late')] })
  await late.isWaiting()
  expect(await saveSession(quick, 's', { history: [...ofQuick, user('quick')] })).toMatchObject({
    written: 'append',
    concurrent: false,
  })
  const before = items.get(LIST)?.split(' ') ?? []
  expect(await late.next()).toBe(LIST)
  await late.isWaiting()
  // The name of the quick writer is gone, and the slow one has stored no entry yet.
  expect(before.filter((name) => !items.get(LIST)?.includes(name))).toHaveLength(1)
  expect(await codeOf(saveSession(old, 's', { history: [...START, user('of the old one')] }))).toBe(
    'conflict',
  )
  expect(await codeOf(saveSession(fresh, 's', { history: [...ofFresh, user('fresh')] }))).toBe('conflict')
  while (items.get(LIST)?.split(' ').length !== 4) await late.next()
  expect(await saving).toMatchObject({ written: 'append', concurrent: true })
  const all = await loadSession(open(), 's')
  expect(all?.session.history).toHaveLength(3)
  expect(all?.missing).toBeUndefined()
})

test('a save lists keys only while another writer has no entry yet, or if that one was killed', async () => {
  const items = new Map<string, string>()
  const [one, two] = [over(items), over(items)]
  const [first, second] = [unstorageStore({ storage: one }), unstorageStore({ storage: two })]
  await saveSession(first, 's', { history: START })
  const history = [...(await loadedFrom(second)), user('second')]
  await saveSession(second, 's', { history })
  const mine = await loadedFrom(first)
  await saveSession(first, 's', { history: [...mine, user('1')] })
  const before = one.listings()
  await saveSession(first, 's', { history: [...mine, user('1'), user('2')] })
  expect(one.listings()).toBe(before)
  const killed = slow(items)
  const third = unstorageStore({ storage: killed.storage })
  const ofThird = await loadedFrom(third)
  void saveSession(third, 's', { history: [...ofThird, user('never stored')] })
  expect(await killed.next()).toBe(LIST)
  await killed.isWaiting()
  const more = [...mine, user('1'), user('2'), user('3')]
  expect(await saveSession(first, 's', { history: more })).toMatchObject({
    written: 'append',
    concurrent: false,
  })
  expect(one.listings()).toBeGreaterThan(before)
})
