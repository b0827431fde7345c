// Sessions in IndexedDB, and a workspace in the origin private file system, in a real browser.
import type { Page } from 'playwright-core'
import type * as Trimtab from 'trimtab'
import type * as Sessions from 'trimtab/sessions'
import type * as Workspaces from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { useTabs } from './browser/tab.js'

declare const trimtab: typeof Trimtab & typeof Sessions & typeof Workspaces

const tabs = useTabs()

describe('indexedDbStore', () => {
  const user = (content: string) => ({ role: 'user', content })

  test('loads a session in another tab as it was saved', async () => {
    const history = [user('\ud800 ä'), user('x'.repeat(1_000_000))]
    const written = await tabs.page().evaluate(async (history) => {
      const store = trimtab.indexedDbStore()
      const first = await trimtab.saveSession(store, 'ä/1', { history, state: { version: 1 } })
      const more = [...history, { role: 'user', content: 'more' }]
      const second = await trimtab.saveSession(store, 'ä/1', { history: more, state: { version: 1 } })
      return [first.written, second.written]
    }, history)
    expect(written).toEqual(['checkpoint', 'append'])
    const tab = await tabs.open()
    const [loaded, list] = await tab.evaluate(async () => {
      const store = trimtab.indexedDbStore()
      return [await trimtab.loadSession(store, 'ä/1'), await store.list()] as const
    })
    expect(loaded?.session).toEqual({
      version: 1,
      history: [...history, user('more')],
      state: { version: 1 },
    })
    expect(list).toEqual(['ä/1'])
  })

  test.each(['get', 'getAll', 'put'])(
    'a browser that does not answer `%s` fails the call, and the next call succeeds',
    async (method) => {
      const outcome = await tabs.page().evaluate(async (method) => {
        const store = trimtab.indexedDbStore()
        await trimtab.saveSession(store, 's', { history: [{ role: 'user', content: 'one' }] })
        const { setTimeout: wait } = globalThis
        const given = Reflect.get(IDBObjectStore.prototype, method)
        // The database is open, and does what it is asked: only its answer does not come.
        Reflect.set(IDBObjectStore.prototype, method, function (this: IDBObjectStore, ...args: unknown[]) {
          Reflect.apply(given, this, args)
          return {}
        })
        const faster = (work: TimerHandler, time = 0, ...args: unknown[]) => wait(work, time / 100, ...args)
        Object.assign(globalThis, { setTimeout: faster })
        const run = () =>
          method === 'put'
            ? trimtab.saveSession(store, 's', { history: [{ role: 'user', content: 'two' }] })
            : trimtab.loadSession(store, 's')
        const failed = await run().then(
          () => null,
          (error: Trimtab.TrimtabError) => [error.code, error.message],
        )
        Object.assign(globalThis, { setTimeout: wait })
        Reflect.set(IDBObjectStore.prototype, method, given)
        await run()
        return failed
      }, method)
      expect(outcome).toEqual(['store_failed', expect.stringContaining('did not answer')])
    },
  )

  test('gives one of two tabs that save at the same time a conflict, and loses nothing', async () => {
    const both = [tabs.page(), await tabs.open()]
    await tabs.page().evaluate(() => trimtab.saveSession(trimtab.indexedDbStore(), 's', { history: [] }))
    const load = (tab: Page) =>
      tab.evaluate(async () => {
        const page = globalThis as unknown as { store?: Sessions.SessionStore; messages?: readonly object[] }
        page.store ??= trimtab.indexedDbStore()
        page.messages = (await trimtab.loadSession(page.store, 's'))?.session.history ?? []
      })
    const save = (tab: Page, content: string) =>
      tab.evaluate(async (content) => {
        const page = globalThis as unknown as { store: Sessions.SessionStore; messages: readonly object[] }
        const history = [...page.messages, { role: 'user', content }]
        return trimtab.saveSession(page.store, 's', { history }).then(
          ({ written }) => written as string,
          (error: Trimtab.TrimtabError) => error.code as string,
        )
      }, content)
    const saved: string[] = []
    for (let round = 0; round < 20; round++) {
      await Promise.all(both.map(load))
      const outcomes = await Promise.all(both.map((tab, name) => save(tab, `${name} ${round}`)))
      expect([...outcomes].sort()).toEqual(['append', 'conflict'])
      saved.push(`${outcomes.indexOf('append')} ${round}`)
    }
    const contents = await tabs.page().evaluate(async () => {
      const loaded = await trimtab.loadSession<{ content: string }>(trimtab.indexedDbStore(), 's')
      return loaded?.session.history.map(({ content }) => content)
    })
    expect(contents).toEqual(saved)
  })

  test('opens a database again that the browser closed', async () => {
    const save = () =>
      tabs.page().evaluate(async () => {
        const page = globalThis as unknown as { kept?: Sessions.SessionStore }
        page.kept ??= trimtab.indexedDbStore()
        await page.kept.replace('s', 'entry', (await page.kept.read('s'))?.version)
        return page.kept.list()
      })
    await save()
    const session = await tabs.page().context().newCDPSession(tabs.page())
    const { origin } = new URL(tabs.page().url())
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    // The page hears of it some time later: the transaction of a call that comes before fails.
    await expect.poll(() => save().catch(({ message }) => message)).toEqual(['s'])
  })

  test('opens a database again that is closed without an event', async () => {
    const list = await tabs.page().evaluate(async () => {
      const opened: IDBDatabase[] = []
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (...args) {
        const request = open.apply(this, args)
        request.addEventListener('success', () => opened.push(request.result))
        return request
      }
      const store = trimtab.indexedDbStore({ name: 'closed' })
      await store.replace('s', 'entry')
      for (const database of opened) database.close()
      const list = await store.list()
      IDBFactory.prototype.open = open
      return list
    })
    expect(list).toEqual(['s'])
  })

  test('fails if the browser does not open the database, and works once it does', async () => {
    const outcome = await tabs.page().evaluate(async () => {
      const name = 'blocked'
      const holder = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
      })
      // Waits for the holder, and whoever opens the database waits for it.
      indexedDB.deleteDatabase(name)
      const store = trimtab.indexedDbStore({ name })
      const error = await store.read('s').then(
        () => null,
        ({ code, message }: Trimtab.TrimtabError) => ({ code, message }),
      )
      holder.close()
      await store.replace('s', 'entry')
      return { error, list: await store.list() }
    })
    expect(outcome).toEqual({
      error: {
        code: 'store_failed',
        message:
          'session "s" cannot be stored or read in IndexedDB: the browser did not open the database within 5 seconds',
      },
      list: ['s'],
    })
  })

  test('does not block a page that deletes the database, and opens it again', async () => {
    const list = await tabs.page().evaluate(async () => {
      const store = trimtab.indexedDbStore({ name: 'deleted' })
      await store.replace('s', 'entry')
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('deleted')
        request.onsuccess = () => resolve()
        request.onblocked = () => reject(new Error('blocked'))
      })
      await store.replace('t', 'entry')
      return store.list()
    })
    expect(list).toEqual(['t'])
  })

  test('replaces and removes sessions, and gives stores that have not read the change a conflict', async () => {
    const result = await tabs.page().evaluate(async () => {
      const [first, second] = [
        trimtab.indexedDbStore({ name: 'other' }),
        trimtab.indexedDbStore({ name: 'other' }),
      ]
      const codeOf = (promise: Promise<unknown>) =>
        promise.then(
          () => 'no error',
          (error: Trimtab.TrimtabError) => error.code,
        )
      const one = await first.replace('s', '1')
      const again = await codeOf(second.replace('s', '1'))
      await second.append('s', '2', one.version)
      const late = await codeOf(first.replace('s', '3', one.version))
      const both = (await first.read('s'))?.entries
      await second.replace('s', '4', (await second.read('s'))?.version)
      const four = (await first.read('s'))?.entries
      await first.remove('s')
      const gone = await codeOf(second.append('s', '5', one.version))
      return { again, late, both, four, gone, left: await second.read('s'), list: await second.list() }
    })
    expect(result).toEqual({
      again: 'conflict',
      late: 'conflict',
      both: ['1', '2'],
      four: ['4'],
      gone: 'conflict',
      left: undefined,
      list: [],
    })
  })

  test('stores no ephemeral content', async () => {
    const SECRET = 'content that must go '
    const stored = await tabs.page().evaluate(async (secret) => {
      const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }
      const history = [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: secret.repeat(30), metadata: { ephemeral: true } },
      ]
      const store = trimtab.indexedDbStore()
      await trimtab.saveSession(store, 's', { history: history.slice(0, 2) })
      await trimtab.saveSession(store, 's', { history })
      return JSON.stringify(await store.read('s'))
    }, SECRET)
    expect(stored).toContain('Ephemeral content was removed')
    expect(stored).not.toContain(SECRET)
  })
})

describe('the origin private file system', () => {
  test('is a workspace with the same results and errors as others', async () => {
    const result = await tabs.page().evaluate(async () => {
      const opfs = await navigator.storage.getDirectory()
      const workspace = trimtab.createWorkspace({ opfs })
      const codeOf = (promise: Promise<unknown>) =>
        promise.then(
          () => 'no error',
          (error: Trimtab.TrimtabError) => error.code,
        )
      const first = await workspace.writeFile('a/b/c.txt', 'ä one', { expectedDigest: null })
      const same = await codeOf(workspace.writeFile('a/b/c.txt', 'two', { expectedDigest: null }))
      const fresh = trimtab.createWorkspace({ opfs })
      const second = await fresh.writeFile('a/b/c.txt', 'two')
      const late = await codeOf(workspace.writeFile('a/b/c.txt', 'x', { expectedDigest: first.digest }))
      const { bytes } = await workspace.readFile('./a/b/c.txt')
      const errors = await Promise.all([
        codeOf(workspace.readFile('../a')),
        codeOf(workspace.readFile('none/at/all')),
        codeOf(workspace.readFile('a/b')),
        codeOf(workspace.writeFile('a/b', 'x')),
        codeOf(workspace.writeFile('a/b/c.txt/d', 'x')),
        codeOf(workspace.writeFile('con', 'x')),
      ])
      const root = await workspace.list()
      const folder = await workspace.list('a/b')
      await workspace.remove('a/b/c.txt')
      return {
        created: [first.created, second.created],
        same,
        late,
        warning: second.warning,
        text: new TextDecoder().decode(bytes),
        errors,
        root,
        folder,
        left: await workspace.list('a/b'),
      }
    })
    expect(result).toEqual({
      created: [true, false],
      same: 'conflict',
      late: 'conflict',
      warning: expect.stringMatching(/^Warning: a\/b\/c\.txt was not read before/),
      text: 'two',
      errors: ['invalid_path', 'not_found', 'not_a_file', 'not_a_file', 'not_a_file', 'invalid_path'],
      root: [{ path: 'a', kind: 'folder', size: 0 }],
      folder: [{ path: 'a/b/c.txt', kind: 'file', size: 3 }],
      left: [],
    })
  })
})
