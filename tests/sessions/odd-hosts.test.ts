// Storages and file systems that reject with anything, or answer with what nobody asked for: a `TrimtabError`, or the
// session as it is.
import { readFileSync } from 'node:fs'
import { TrimtabError } from 'trimtab'
import {
  fileStore,
  loadSession,
  memoryStore,
  type SessionStore,
  saveSession,
  unstorageStore,
} from 'trimtab/sessions'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { assistant, user } from './messages.js'

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const thrower = () => {
  throw new Error('g')
}
const REASONS: [string, unknown][] = [
  ['null', null],
  ['a number', 5],
  ['a symbol', Symbol('x')],
  ['an object without a prototype', Object.create(null)],
  ['an object that throws when it is read', { toString: thrower }],
  ['an error whose code throws', Object.defineProperty(new Error('x'), 'code', { get: thrower })],
  ['a revoked proxy', revoked()],
]

const WORK: [string, (store: SessionStore) => Promise<unknown>][] = [
  ['saveSession', (store) => saveSession(store, 's', { history: [user('a')] })],
  ['loadSession', (store) => loadSession(store, 's')],
  ['list', (store) => store.list()],
  ['remove', (store) => store.remove('s')],
]

const rejecting = (reason: unknown, constants: object = {}) =>
  new Proxy({ ...constants } as Record<string, unknown>, {
    get: (target, name) => (name in target ? target[name as string] : () => Promise.reject(reason)),
    has: (_, name) => name !== 'readSync',
  }) as never

describe.each(REASONS)('a host that rejects with %s', (_, reason) => {
  test.each(WORK)('%s: is a TrimtabError', async (_, work) => {
    const constants = { constants: { O_RDWR: 2, O_APPEND: 1024 } }
    const stores = [
      unstorageStore({ storage: rejecting(reason) }),
      fileStore({ fs: rejecting(reason, constants), folder: '/x' }),
    ]
    for (const store of stores) await expect(work(store)).rejects.toBeInstanceOf(TrimtabError)
  })

  test('a workspace throws a TrimtabError', async () => {
    const workspace = createWorkspace({ fs: rejecting(reason, { constants: {} }), root: '/x' })
    for (const work of [
      workspace.writeFile('a', 'b'),
      workspace.readFile('a'),
      workspace.list(),
      workspace.remove('a'),
    ])
      await expect(work).rejects.toBeInstanceOf(TrimtabError)
  })
})

interface Item {
  key: string
  value: unknown
}

/** A storage with one method changed. */
function storageWith(change: (name: string, answer: unknown) => unknown): never {
  const values = new Map<string, unknown>()
  const methods: Record<string, (...args: never[]) => unknown> = {
    getItem: (key: string) => values.get(key) ?? null,
    getItems: (keys: string[]): Item[] => keys.map((key) => ({ key, value: values.get(key) ?? null })),
    setItem: (key: string, value: string) => void values.set(key, value),
    getKeys: (base: string) => [...values.keys()].filter((key) => key.startsWith(base)),
    removeItem: (key: string) => void values.delete(key),
  }
  const changed = Object.entries(methods).map(([name, method]) => [
    name,
    async (...args: never[]) => change(name, method(...args)),
  ])
  return Object.fromEntries(changed) as never
}

describe('a storage that answers oddly', () => {
  test.each<[string, (name: string, answer: unknown) => unknown]>([
    [
      'repeats keys',
      (name, answer) => (name === 'getKeys' ? [...(answer as []), ...(answer as [])] : answer),
    ],
    [
      'lists what are no keys',
      (name, answer) => (name === 'getKeys' ? [null, 5, {}, 'x', ...(answer as [])] : answer),
    ],
    ['answers in another order', (name, answer) => (name === 'getItems' ? (answer as []).reverse() : answer)],
  ])('%s: the session is loaded', async (_, change) => {
    const store = unstorageStore({ storage: storageWith(change) })
    const history = [user('a')]
    await saveSession(store, 's', { history })
    await saveSession(store, 's', { history: [...history, assistant('b')] })
    expect((await loadSession(store, 's'))?.session.history).toHaveLength(2)
    expect(await store.list()).toContain('s')
    await store.remove('s')
    expect(await loadSession(store, 's')).toBeUndefined()
  })

  test('gives no list of keys: a TrimtabError', async () => {
    const change = (name: string, answer: unknown) => (name === 'getKeys' ? undefined : answer)
    const store = unstorageStore({ storage: storageWith(change) })
    for (const [, work] of WORK) await expect(work(store)).rejects.toMatchObject({ code: 'store_failed' })
  })
})

describe('a store of the host', () => {
  test('may answer null for a session that it does not have', async () => {
    const store = { ...memoryStore(), read: async () => null as never }
    expect(await loadSession(store, 's')).toBeUndefined()
    expect((await saveSession(store, 's', { history: [user('a')] })).written).toBe('checkpoint')
  })

  test('without the methods that a save needs is refused as such', async () => {
    const { read, append } = memoryStore()
    for (const store of [{ read }, { read, append }])
      await expect(saveSession(store as never, 's', { history: [user('a')] })).rejects.toMatchObject({
        code: 'invalid_option',
        argument: 'store',
        message: expect.stringContaining('replace()'),
      })
    expect(await loadSession({ read } as never, 's')).toBeUndefined()
  })

  test.each(['entries', 'unmerged', 'repairs', 'missing'])(
    'whose %s cannot be read, or are something else: a TrimtabError',
    async (field) => {
      const stored = memoryStore()
      await saveSession(stored, 's', { history: [user('a')] })
      for (const odd of [revoked(), [5], { a: 5 }, 'x']) {
        const store = {
          ...stored,
          read: async (id: string) => ({ ...(await stored.read(id)), [field]: odd }) as never,
        }
        for (const [, work] of WORK.slice(0, 2))
          await expect(work(store)).rejects.toBeInstanceOf(TrimtabError)
      }
    },
  )

  test('whose entries have messages that are no objects: an error that names the message', async () => {
    const store = memoryStore()
    const checkpoint = { type: 'checkpoint', session: { version: 1, history: [] } }
    const { version } = await store.replace('s', JSON.stringify(checkpoint))
    const addition = { type: 'append', version: 1, from: 0, messages: [user('a'), null] }
    await store.append('s', JSON.stringify(addition), version)
    for (const [, work] of WORK.slice(0, 2))
      await expect(work(store)).rejects.toMatchObject({
        code: 'unreadable_session',
        message: expect.stringContaining('messages[1] of entry 2'),
      })
  })

  test.each([[5], [{}], [{ entries: 5 }], [[]], ['{}']])('reads %j: a TrimtabError', async (answer) => {
    const store = { ...memoryStore(), read: async () => answer as never }
    for (const [, work] of WORK.slice(0, 2))
      await expect(work(store)).rejects.toMatchObject({ code: 'store_failed' })
  })
})

test.each([undefined, null, 5, {}, { version: 5 }])(
  'a store of the host that answers a write with %j: a TrimtabError',
  async (answer) => {
    const store = memoryStore()
    const odd = { ...store, append: async () => answer as never, replace: async () => answer as never }
    const history = [user('a')]
    await expect(saveSession(odd, 's', { history })).rejects.toMatchObject({ code: 'store_failed' })
    await saveSession(store, 's', { history })
    const loaded = (await loadSession(odd, 's'))?.session.history ?? []
    const longer = { history: [...loaded, user('b')] }
    await expect(saveSession(odd, 's', longer)).rejects.toMatchObject({ code: 'store_failed' })
  },
)

test.each(['node:fs', 5, Symbol('fs'), null, {}, readFileSync])('%s is no file system', (fs) => {
  const invalid = expect.objectContaining({ code: 'invalid_option', argument: 'fs' })
  expect(() => fileStore({ fs: fs as never, folder: '/x' })).toThrow(invalid)
  expect(() => createWorkspace({ fs: fs as never, root: '/x' })).toThrow(invalid)
})

describe('a store of the host that fails', () => {
  const REASON: [string, unknown][] = [
    ['an error', new Error('BOOM')],
    ['a text', 'BOOM'],
    ['undefined', undefined],
  ]
  const HOW: [string, (reason: unknown) => () => Promise<never>][] = [
    ['rejects', (reason) => () => Promise.reject(reason)],
    [
      'throws',
      (reason) => () => {
        throw reason
      },
    ],
  ]
  const failures = HOW.flatMap(([how, failing]) =>
    REASON.flatMap(([of, reason]) =>
      (['read', 'append', 'replace', 'sync'] as const).map(
        (method) => [method, how, of, reason, failing(reason)] as const,
      ),
    ),
  )
  const history = [user('a')]

  /** A store with a session that others saved, and that was loaded from it. */
  async function loaded(): Promise<SessionStore> {
    const store = { ...memoryStore() }
    await saveSession({ ...store }, 's', { history })
    await loadSession(store, 's')
    return store
  }
  const SAVED = { append: [...history, user('b')], replace: [user('c')], read: history, sync: [user('d')] }

  test.each(failures)('%s() %s with %s: store_failed', async (method, _how, _of, reason, failing) => {
    const store = await loaded()
    store[method] = failing
    const isWritten = { sync: true, read: false }[method as string]
    const error: unknown = await saveSession(store, 's', { history: SAVED[method] }).catch((error) => error)
    expect(error).toBeInstanceOf(TrimtabError)
    expect(error).toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/: (?:BOOM|undefined)$/),
    })
    expect((error as TrimtabError).cause).toBe(reason)
    expect((error as TrimtabError).isWritten).toBe(isWritten)
    if (method !== 'read') return
    const unread: unknown = await loadSession(store, 's').catch((error) => error)
    expect(unread).toMatchObject({ code: 'store_failed' })
    expect((unread as TrimtabError).cause).toBe(reason)
  })

  test('with a TrimtabError: it passes as it is', async () => {
    const store = await loaded()
    const own = new TrimtabError('unreadable_session', 'own')
    store.append = () => Promise.reject(own)
    await expect(saveSession(store, 's', { history: SAVED.append })).rejects.toBe(own)
    store.read = () => Promise.reject(own)
    await expect(loadSession(store, 's')).rejects.toBe(own)
  })

  test('saving again goes on from what is stored', async () => {
    const store = await loaded()
    const { append } = store
    store.append = async (...args) => {
      await append(...args)
      throw new Error('BOOM')
    }
    const longer = [...history, user('b')]
    await expect(saveSession(store, 's', { history: longer })).rejects.toThrow(
      /may not have been saved: .*BOOM/,
    )
    store.append = append
    await saveSession(store, 's', { history: longer })
    expect((await loadSession(store, 's'))?.session.history).toEqual(longer)
  })
})
