import * as fs from 'node:fs/promises'
import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import {
  fileStore,
  loadSession,
  memoryStore,
  type SavedSession,
  type SessionStore,
  saveSession,
} from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { assistant, user } from './messages.js'
import { places } from './stores.js'

/** Changes the second message in place. */
function edit<M extends object>(history: M[], change: object): M[] {
  Object.assign(history[1] as M, change)
  return history
}

/** A store that records the size of each write. */
function counting(store: SessionStore): { store: SessionStore; bytes: number[] } {
  const bytes: number[] = []
  const counted: SessionStore = {
    ...store,
    append: (id, entry, version) => {
      bytes.push(entry.length)
      return store.append(id, entry, version)
    },
    replace: (id, entry, version) => {
      bytes.push(entry.length)
      return store.replace(id, entry, version)
    },
  }
  return { store: counted, bytes }
}

describe.each(places)('writers that share one store object, %s', (_, make) => {
  const load = async (store: SessionStore) => (await loadSession(store, 's'))?.session as SavedSession
  const add = (store: SessionStore, session: SavedSession, text: string, others: object = {}) =>
    saveSession(store, 's', { ...session, ...others, history: [...session.history, user(text)] })

  test('a save based on an earlier version than the stored one is a conflict', async () => {
    const store = make().open()
    await saveSession(store, 's', { history: [user('start')] })
    const [a, b] = [await load(store), await load(store)]
    await add(store, a, 'A')
    expect(await codeOf(add(store, b, 'B'))).toBe('conflict')
    // A field of the other writer would be lost, too.
    expect(await codeOf(saveSession(store, 's', { ...b, title: 'B' }))).toBe('conflict')
    await add(store, await load(store), 'B')
    expect((await load(store)).history).toEqual([user('start'), user('A'), user('B')])
  })

  test('the one who saved last may go on, also with other messages', async () => {
    const store = make().open()
    const history = [user('start'), assistant('x')]
    await saveSession(store, 's', { history })
    const { history: loaded } = await load(store)
    expect(
      (await saveSession(store, 's', { history: [...loaded.slice(0, 1), assistant('y')] })).written,
    ).toBe('checkpoint')
    expect(
      (await saveSession(store, 's', { history: [...loaded.slice(0, 1), assistant('z')] })).written,
    ).toBe('checkpoint')
    // What was saved before the other writer loaded it is old now.
    expect(await codeOf(saveSession(store, 's', { history: [...history, user('more')] }))).toBe('conflict')
  })

  test.each<[string, (history: object[]) => object[]]>([
    ['removed at the end', (history) => history.slice(0, -1)],
    ['removed altogether, and others added', () => [user('anew')]],
    ['changed', (history) => [...history.slice(0, -1), assistant('changed')]],
  ])('what another writer has %s does not come back', async (_, change) => {
    const store = make().open()
    await saveSession(store, 's', { history: [user('start'), assistant('old')] })
    const [a, b] = [await load(store), await load(store)]
    const changed = change([...a.history])
    await saveSession(store, 's', { ...a, history: changed })
    expect(await codeOf(add(store, b, 'B'))).toBe('conflict')
    expect((await load(store)).history).toEqual(changed)
    await add(store, await load(store), 'B')
    expect((await load(store)).history).toEqual([...changed, user('B')])
  })

  test('what another process has removed does not come back', async () => {
    const place = make()
    const store = place.open()
    await saveSession(store, 's', { history: [user('start'), assistant('old')] })
    const b = await load(store)
    const other = place.open()
    await saveSession(other, 's', { history: (await load(other)).history.slice(0, 1) })
    await load(store)
    expect(await codeOf(add(store, b, 'B'))).toBe('conflict')
    expect((await load(store)).history).toEqual([user('start')])
  })

  test('a history that has what others added can go on, and so can one that has removed the same', async () => {
    const store = make().open()
    await saveSession(store, 's', { history: [user('start'), assistant('old')] })
    const [a, b] = [await load(store), await load(store)]
    await add(store, a, 'A')
    expect((await add(store, { history: [...b.history, user('A')] }, 'B')).written).toBe('append')
    const [c, d] = [await load(store), await load(store)]
    await saveSession(store, 's', { history: c.history.slice(0, 2) })
    expect((await saveSession(store, 's', { history: d.history.slice(0, 2) })).written).toBe('nothing')
  })

  test('of several that create the session at once, one does', async () => {
    const store = make().open()
    const create = (text: string) => saveSession(store, 's', { history: [user(text)] })
    const saves = await Promise.allSettled(['A', 'B', 'C'].map(create))
    expect(saves.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    for (const save of saves)
      if (save.status === 'rejected')
        expect(save.reason).toMatchObject({ code: 'conflict', isWritten: false })
    expect((await load(store)).history).toEqual([user('A')])
  })

  test('the one who created it may change it at once', async () => {
    const store = make().open()
    const history = [user('a'), user('b')]
    const saves = [
      saveSession(store, 's', { history }),
      saveSession(store, 's', { history: history.slice(0, 1) }),
    ]
    expect((await Promise.all(saves)).map(({ written }) => written)).toEqual(['checkpoint', 'checkpoint'])
  })

  test('no turn is lost if several add turns at once', async () => {
    const store = make().open()
    await saveSession(store, 's', { history: [user('start')] })
    const addTurn = async (text: string): Promise<void> => {
      for (let tries = 0; tries < 20; tries++) {
        const failed = await add(store, await load(store), text).catch((error: unknown) => error)
        if (!(failed instanceof TrimtabError)) return
        expect(failed.code).toBe('conflict')
      }
    }
    await Promise.all(['A', 'B', 'C', 'D'].map(addTurn))
    const texts = (await load(store)).history.map((message) => (message as { content: string }).content)
    expect(texts.sort()).toEqual(['A', 'B', 'C', 'D', 'start'])
  })
})

describe('saveSession', () => {
  test('appends only what is new, and writes nothing if nothing is new', async () => {
    const { store, bytes } = counting(memoryStore())
    const history = Array.from({ length: 200 }, (_, i) => user(`message ${i} `.repeat(50)))
    expect(await saveSession(store, 's', { history })).toEqual({ written: 'checkpoint', concurrent: false })
    history.push(user('new'))
    expect((await saveSession(store, 's', { history })).written).toBe('append')
    expect((await saveSession(store, 's', { history })).written).toBe('nothing')
    expect((await saveSession(store, 's', { history, state: { version: 1 } })).written).toBe('append')
    expect(bytes).toHaveLength(3)
    expect(Math.max(...bytes.slice(1))).toBeLessThan(200)
  })

  test('syncs what another process stored, once, and nothing that this process stored', async () => {
    const stored = memoryStore()
    let syncs = 0
    const store: SessionStore = { ...stored, sync: async () => void syncs++ }
    const history = [user('a')]
    const save = async (turn?: object) => {
      if (turn !== undefined) history.push(turn as (typeof history)[0])
      return (await saveSession(store, 's', { history })).written
    }
    expect([await save(), await save(user('b')), await save()]).toEqual(['checkpoint', 'append', 'nothing'])
    await loadSession(store, 's')
    expect([await save(), await save(user('c')), syncs]).toEqual(['nothing', 'append', 0])
    await saveSession({ ...stored }, 's', { history: [...history, user('of another process')] })
    history.push(user('of another process'))
    await loadSession(store, 's')
    expect([await save(), syncs]).toEqual(['nothing', 1])
    expect([await save(user('d')), await save(), syncs]).toEqual(['append', 'nothing', 1])
  })

  test.each([0, 1])('a failed sync is an error until it succeeds, with %i new messages', async (count) => {
    const folder = `${scratchFolder()}/sessions`
    const history = [user('a')]
    await saveSession(fileStore({ fs, folder }), 's', { history })
    const store = fileStore({ fs, folder })
    let failing = true
    const flaky: SessionStore = {
      ...store,
      sync: async (id) => {
        if (failing) throw new TrimtabError('store_failed', 'injected', { isWritten: true })
        await store.sync?.(id)
      },
    }
    await loadSession(flaky, 's')
    if (count > 0) history.push(user('b'))
    const save = () => saveSession(flaky, 's', { history })
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(save()).rejects.toMatchObject({ code: 'store_failed', isWritten: true })
    failing = false
    expect(await save()).toEqual({ written: 'nothing', concurrent: false })
    expect((await loadSession(store, 's'))?.session.history).toEqual(history)
  })

  test('after a save that was stored although it failed, the same writer goes on', async () => {
    for (const isStored of [true, false]) {
      const stored = memoryStore()
      let failing = false
      const fail = () => new TrimtabError('store_failed', 'injected')
      const store: SessionStore = {
        ...stored,
        replace: async (id, entry, version) => {
          if (failing && !isStored) throw fail()
          const answer = await stored.replace(id, entry, version)
          if (failing) throw fail()
          return answer
        },
      }
      const history = [user('start'), assistant('old')]
      await saveSession(store, 's', { history, state: 0 })
      history.pop()
      failing = true
      await expect(saveSession(store, 's', { history, state: 1 })).rejects.toThrow('injected')
      failing = false
      history.push(assistant('new'))
      await saveSession(store, 's', { history, state: 2 })
      expect((await loadSession(store, 's'))?.session).toEqual({ version: 1, history, state: 2 })
    }
  })

  test('a save that cannot read what is stored says that nothing was written', async () => {
    const stored = memoryStore()
    await saveSession({ ...stored }, 's', { history: [user('a')] })
    const read = () => Promise.reject(new TrimtabError('store_failed', 'injected'))
    const save = (store: SessionStore) => saveSession(store, 's', { history: [user('a')] })
    const error = await save({ ...stored, read }).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'store_failed', message: 'injected', isWritten: false })
    // Likewise if there is nothing new to write.
    const store: SessionStore = { ...stored }
    await loadSession(store, 's')
    store.read = read
    await expect(save(store)).rejects.toMatchObject({ code: 'store_failed', isWritten: false })
  })

  test.each(places)(
    'writes nothing if the store in %s has all of it, and gives a conflict if it was changed or removed',
    async (_, make) => {
      const place = make()
      const [store, other] = [place.open(), place.open()]
      const history = [user('go'), user('on')]
      await saveSession(store, 's', { history })
      await loadSession(other, 's')
      const again = () => saveSession(store, 's', { history })
      expect((await again()).written).toBe('nothing')
      await saveSession(other, 's', { history: [...history, user('of another')], title: 'new' })
      expect((await again()).written).toBe('nothing')
      expect(await codeOf(saveSession(store, 's', { history: [...history, user('late')] }))).toBe('conflict')
      await saveSession(other, 's', { history: [user('edited'), user('on')] })
      expect(await codeOf(again())).toBe('conflict')
      await other.remove('s')
      expect(await codeOf(again())).toBe('conflict')
      await saveSession(place.open(), 's', { history })
      expect((await again()).written).toBe('nothing')
    },
  )

  test.each<[string, (history: { role: string; content: string; more?: object }[]) => object[]]>([
    ['changed in place', (history) => edit(history, { content: 'other' })],
    ['given a field in place', (history) => edit(history, { more: { deep: 1 } })],
    ['replaced', (history) => history.with(0, user('other'))],
    ['shortened', (history) => history.slice(0, 2)],
    ['compacted', (history) => [user('summary'), ...history.slice(2)]],
    ['emptied', () => []],
  ])('writes a checkpoint if the history was %s', async (_, change) => {
    const store = memoryStore()
    const history = [user('1'), assistant('2'), user('3')]
    await saveSession(store, 's', { history })
    const changed = change(history)
    expect((await saveSession(store, 's', { history: changed })).written).toBe('checkpoint')
    expect((await loadSession(store, 's'))?.session.history).toEqual(changed)
  })

  test('appends to a copy of the history with the same content', async () => {
    const store = memoryStore()
    const history = [user('1'), { role: 'assistant', content: [{ type: 'text', text: '2' }] }]
    await saveSession(store, 's', { history })
    const copy = [...structuredClone(history), user('3')]
    expect((await saveSession(store, 's', { history: copy })).written).toBe('append')
  })

  test('appends to a loaded session', async () => {
    const folder = scratchFolder()
    await saveSession(fileStore({ fs, folder }), 's', { history: [user('1')], usage: { tokens: 5 } })
    const store = fileStore({ fs, folder })
    const loaded = await loadSession(store, 's')
    const history = [...(loaded?.session.history ?? []), user('2')]
    expect((await saveSession(store, 's', { ...loaded?.session, history })).written).toBe('append')
    const again = await loadSession(fileStore({ fs, folder }), 's')
    expect(again).toEqual({
      session: { version: 1, history: [user('1'), user('2')], usage: { tokens: 5 } },
      repairs: [],
      merged: 0,
      unmerged: [],
    })
  })

  test('runs concurrent saves of one session in order', async () => {
    const store = memoryStore()
    const history: object[] = []
    const saves = Array.from({ length: 10 }, (_, i) => {
      history.push(user(`${i}`))
      return saveSession(store, 's', { history: [...history] })
    })
    await Promise.all(saves)
    expect((await loadSession(store, 's'))?.session.history).toEqual(history)
  })
})

describe.each(places)('sessions in %s', (_, make) => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  const message = fc
    .tuple(
      fc.constantFrom('user', 'assistant'),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.dictionary(fc.string(), json, { maxKeys: 3 }),
    )
    .map(([role, content, extra]) => ({ extra, role, content }))
  const fields = fc.dictionary(
    fc
      .string({ minLength: 1 })
      .filter((name) => !['version', 'history', 'messages', 'format', '__proto__'].includes(name)),
    json,
    { maxKeys: 3 },
  )

  test('are loaded as they were saved, after any changes', async () => {
    const step = fc.record({
      add: fc.array(message, { maxLength: 3 }),
      drop: fc.constantFrom(0, 0, 0, 1, 2),
      fields,
      reopen: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const place = make()
        let store = place.open()
        let session: SavedSession = { version: 1, history: [] }
        for (const { add, drop, fields, reopen } of steps) {
          session = { ...fields, version: 1, history: [...session.history.slice(drop), ...add] }
          await saveSession(store, 'id', session)
          const loaded = await loadSession(place.open(), 'id')
          expect(loaded).toEqual({ session, repairs: [], merged: 0, unmerged: [] })
          if (reopen) {
            store = place.open()
            await loadSession(store, 'id')
          }
        }
      }),
      { ...runs, numRuns: Math.min(runs.numRuns, 60) },
    )
  })

  test('stay small if a large state is saved with each turn', async () => {
    const place = make()
    const store = place.open()
    const history: object[] = [user('0')]
    const state = (turn: number) => ({ turn, rows: Array.from({ length: 10_000 }, (_, i) => i + turn) })
    for (let turn = 0; turn < 60; turn++) {
      history.push(user(`${turn}`))
      expect((await saveSession(store, 's', { history, state: state(turn) })).concurrent).toBe(false)
      // Now and then another process continues the session.
      if (turn % 20 === 10) await loadSession(store, 's')
    }
    const size = JSON.stringify({ history, state: state(59) }).length
    const entries = (await place.open().read('s'))?.entries ?? []
    expect(entries.reduce((sum, entry) => sum + entry.length, 0)).toBeLessThan(10 * size)
    expect(entries.length).toBeGreaterThan(1)
    const loaded = await loadSession(place.open(), 's')
    expect(loaded).toEqual({
      session: { version: 1, history, state: state(59) },
      repairs: [],
      merged: 0,
      unmerged: [],
    })
  })

  test('changed by another writer give a conflict until they are loaded, and then contain both changes', async () => {
    const place = make()
    const [first, second] = [place.open(), place.open()]
    await saveSession(first, 's', { history: [user('1')] })
    await loadSession(second, 's')
    await saveSession(first, 's', { history: [user('1'), user('of the first')] })
    const mine = { history: [user('1'), user('of the second')] }
    for (let i = 0; i < 2; i++) expect(await codeOf(saveSession(second, 's', mine))).toBe('conflict')
    const now = await loadSession(second, 's')
    const history = [...(now?.session.history ?? []), user('of the second')]
    await saveSession(second, 's', { history })
    expect((await loadSession(first, 's'))?.session.history).toEqual([
      user('1'),
      user('of the first'),
      user('of the second'),
    ])
  })

  test('that were never loaded can be appended to, but not replaced', async () => {
    const place = make()
    await saveSession(place.open(), 's', { history: [user('1')] })
    expect(await codeOf(saveSession(place.open(), 's', { history: [user('other')] }))).toBe('conflict')
    expect((await saveSession(place.open(), 's', { history: [user('1'), user('2')] })).written).toBe('append')
    expect(await loadSession(place.open(), 'none')).toBeUndefined()
  })
})

describe('values that JSON cannot represent', () => {
  test('bytes, dates and URLs are kept, and fields that look like their encoding', async () => {
    const store = memoryStore()
    const content = [
      { type: 'image', image: Uint8Array.from({ length: 20_000 }, (_, i) => i % 256) },
      { type: 'image', image: new URL('https://example.com/a.png') },
      { $bytes: 'AAAA' },
      { $object: { $date: 'x' } },
      JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
      { at: new Date(Number.NaN) },
    ]
    const history: object[] = [{ role: 'user', content, createdAt: new Date(5) }]
    await saveSession(store, 's', { history })
    expect((await loadSession(store, 's'))?.session.history).toEqual(history)
    history.push(user('more'))
    expect((await saveSession(store, 's', { history })).written).toBe('append')
    expect((await loadSession(store, 's'))?.session.history).toEqual(history)
  })

  test('an object with toJSON is saved as the value it returns', async () => {
    class Message {
      readonly text: string
      constructor(text: string) {
        this.text = text
      }
      toJSON() {
        return { role: 'user', content: this.text }
      }
    }
    const store = memoryStore()
    const history = [new Message('hi')]
    await saveSession(store, 's', { history })
    expect((await saveSession(store, 's', { history })).written).toBe('nothing')
    expect((await loadSession(store, 's'))?.session.history).toEqual([user('hi')])
  })

  const circle: Record<string, unknown> = {}
  circle.self = circle
  test.each([
    ['a function', () => 0],
    ['a bigint', 1n],
    ['a Map', new Map()],
    ['NaN', Number.NaN],
    ['a list with undefined', [undefined]],
    ['a circular object', circle],
    ['an ArrayBuffer', new ArrayBuffer(8)],
    ['a typed array', new Float32Array(2)],
    ['an error', new Error('x')],
    ['a Blob', new Blob(['x'])],
    ['a File', new File(['x'], 'a.txt')],
    ['headers', new Headers({ a: 'b' })],
    ['a form', new FormData()],
    ['a query', new URLSearchParams('a=b')],
    ['a stream', new ReadableStream()],
    ['a weak reference', new WeakRef({})],
    ['an iterator', [1].values()],
    ['a wrapped string', new String('s')],
    ['a wrapped number', new Number(1)],
    // biome-ignore lint/suspicious/noSparseArray: what is refused
    ['a list with a hole', [1, , 3]],
  ])('%s is refused, and nothing is saved', async (_, value) => {
    const store = memoryStore()
    await saveSession(store, 's', { history: [user('1')] })
    const error = await saveSession(store, 's', {
      history: [user('1'), { role: 'user', content: 'x', value }],
    }).catch((error: unknown) => error)
    expect(error).toMatchObject({
      code: 'invalid_session',
      argument: expect.stringMatching(/^history\[1\]\.value/),
    })
    expect((await loadSession(store, 's'))?.session.history).toEqual([user('1')])
  })
})

test('saveSession and loadSession refuse a missing store or id', async () => {
  const session = { history: [] }
  const mistakes: [unknown, unknown, string][] = [
    [undefined, 's', 'store'],
    [{}, 's', 'store'],
    [memoryStore(), undefined, 'id'],
    [memoryStore(), '', 'id'],
  ]
  for (const [store, id, argument] of mistakes) {
    const error = { code: 'invalid_option', argument }
    await expect(saveSession(store as never, id as never, session)).rejects.toMatchObject(error)
    await expect(loadSession(store as never, id as never)).rejects.toMatchObject(error)
  }
})
