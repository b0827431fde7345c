import * as callbacks from 'node:fs'
import * as fs from 'node:fs/promises'
import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { fileStore, unstorageStore } from 'trimtab/sessions'
import { createStorage, prefixStorage } from 'unstorage'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { places } from './stores.js'

const checkpoint = (n: number) => JSON.stringify({ checkpoint: n })
/** An entry with everything that could be mistaken for a part of a file's line. */
const entry = (n: number) =>
  JSON.stringify({ entry: n, text: 'ä\ud800\n"crc":"01234567"}\u2028', part: { of: 'it', crc: '01234567' } })

describe.each(places)('a store in %s', (_, make) => {
  test('keeps entries in order, and replaces them with a checkpoint', async () => {
    const store = make().open()
    expect(await store.read('s')).toBeUndefined()
    let { version } = await store.replace('s', checkpoint(1))
    for (let i = 0; i < 12; i++) version = (await store.append('s', entry(i), version)).version
    const read = await store.read('s')
    expect(read?.entries).toEqual([checkpoint(1), ...Array.from({ length: 12 }, (_, i) => entry(i))])
    expect(read).toMatchObject({ repairs: [], unmerged: [] })
    version = (await store.replace('s', checkpoint(2), read?.version)).version
    await store.append('s', entry(100), version)
    expect((await store.read('s'))?.entries).toEqual([checkpoint(2), entry(100)])
  })

  test('gives a conflict and stores nothing if another store has written since', async () => {
    const place = make()
    const [first, second] = [place.open(), place.open()]
    const { version } = await first.replace('s', checkpoint(1))
    expect(await codeOf(second.replace('s', checkpoint(9)))).toBe('conflict')
    const seen = (await second.read('s'))?.version ?? ''
    await first.append('s', entry(1), version)
    expect(await codeOf(second.append('s', entry(9), seen))).toBe('conflict')
    expect(await codeOf(second.replace('s', checkpoint(9), seen))).toBe('conflict')
    const read = await second.read('s')
    expect(read?.entries).toEqual([checkpoint(1), entry(1)])
    await second.append('s', entry(2), read?.version ?? '')
    expect(await codeOf(first.append('s', entry(9), version))).toBe('conflict')
    expect((await first.read('s'))?.entries).toEqual([checkpoint(1), entry(1), entry(2)])
  })

  test('refuses what is no version, whether the session exists or not', async () => {
    const store = make().open()
    await store.replace('there', checkpoint(1))
    for (const id of ['there', 'missing'])
      for (const version of [undefined, null, 7, 'nonsense', '']) {
        expect(await codeOf(store.append(id, entry(1), version as never))).toMatch(
          /^(invalid_option|conflict)$/,
        )
        if (version === undefined) continue
        expect(await codeOf(store.replace(id, checkpoint(2), version as never))).toMatch(
          /^(invalid_option|conflict)$/,
        )
      }
    expect((await store.read('there'))?.entries).toEqual([checkpoint(1)])
    expect(await store.read('missing')).toBeUndefined()
  })

  test('gives a conflict if another store has written a checkpoint since', async () => {
    const place = make()
    const [first, second] = [place.open(), place.open()]
    const { version } = await first.replace('s', checkpoint(1))
    const seen = (await second.read('s'))?.version ?? ''
    await second.replace('s', checkpoint(2), seen)
    expect(await codeOf(first.append('s', entry(1), version))).toBe('conflict')
    expect((await first.read('s'))?.entries).toEqual([checkpoint(2)])
  })

  test('gives a conflict if the session was removed and created again', async () => {
    const place = make()
    const [first, second] = [place.open(), place.open()]
    const { version } = await first.replace('s', checkpoint(1))
    await second.remove('s')
    await second.remove('s')
    expect(await first.read('s')).toBeUndefined()
    await second.replace('s', checkpoint(2))
    expect(await codeOf(first.append('s', entry(1), version))).toBe('conflict')
    await first.remove('s')
    await first.replace('s', checkpoint(3))
    expect((await second.read('s'))?.entries).toEqual([checkpoint(3)])
  })

  test('accepts any text as an id, and keeps similar ids apart', async () => {
    const store = make().open()
    const ids = [
      'a',
      'A',
      'ä',
      'a/b',
      'a:b',
      '..',
      '.',
      'con',
      'CON',
      'a b',
      'a%20b',
      '-',
      'x'.repeat(200),
      '🙂',
      '__proto__',
    ]
    for (const [i, id] of ids.entries()) await store.replace(id, checkpoint(i))
    expect(await store.list()).toEqual([...ids].sort())
    for (const [i, id] of ids.entries()) expect((await store.read(id))?.entries).toEqual([checkpoint(i)])
    await store.remove('A')
    expect((await store.read('a'))?.entries).toEqual([checkpoint(0)])
  })
})

test.each(['', '\ud800', 'x'.repeat(201), 7])('fileStore and unstorageStore refuse the id %j', async (id) => {
  const stores = [fileStore({ fs, folder: scratchFolder() }), unstorageStore({ storage: createStorage() })]
  for (const store of stores)
    expect(await codeOf(store.replace(id as string, checkpoint(0)))).toBe('invalid_option')
  for (const store of stores) expect(await codeOf(store.read(id as string))).toBe('invalid_option')
})

describe('fileStore', () => {
  const setUp = async (entries: number) => {
    const folder = scratchFolder()
    const store = fileStore({ fs, folder })
    let { version } = await store.replace('s', checkpoint(0))
    for (let i = 1; i <= entries; i++) version = (await store.append('s', entry(i), version)).version
    return { folder, store, version, file: `${folder}/s.jsonl` }
  }

  test('returns the whole entries of a file that is cut anywhere, and reports the rest', async () => {
    const { store, file } = await setUp(3)
    const whole = await fs.readFile(file)
    const allLines = whole.toString().split('\n').slice(2)
    const start = whole.indexOf('\n', whole.indexOf('\n') + 1)
    for (let length = start; length <= whole.length; length++) {
      await fs.writeFile(file, whole.subarray(0, length))
      const lines = whole.subarray(0, length).toString().split('\n').slice(2)
      const rest = lines.at(-1) === allLines[lines.length - 1] ? '' : (lines.pop() ?? '')
      const read = await store.read('s')
      expect(read?.entries).toEqual([checkpoint(0), ...lines.map((_, i) => entry(i + 1))])
      const bytes = length - whole.lastIndexOf('\n', length - 1) - 1
      const torn = rest === '' ? [] : [{ line: lines.length + 3, bytes }]
      expect(read?.repairs).toEqual(torn)
      // The file is appended to: the remains stay alone on their line.
      await store.append('s', entry(99), read?.version ?? '')
      expect((await store.read('s'))?.entries).toEqual([...(read?.entries ?? []), entry(99)])
    }
  })

  test('appends without a conflict after a partial entry of another writer', async () => {
    const { store, version, file } = await setUp(1)
    await fs.appendFile(file, '\n{"entry":{"half')
    await store.append('s', entry(2), version)
    const read = await store.read('s')
    expect(read?.entries).toEqual([checkpoint(0), entry(1), entry(2)])
    expect(read?.repairs).toEqual([{ line: 4, bytes: 15 }])
  })

  test('rewrites a file when most of it is replaced', async () => {
    const { store, version, file } = await setUp(1)
    const large = JSON.stringify('x'.repeat(900_000))
    let now = version
    for (let i = 0; i < 10; i++) now = (await store.replace('s', large, now)).version
    expect((await fs.stat(file)).size).toBeLessThan(3_000_000)
    expect((await store.read('s'))?.entries).toEqual([large])
    expect(await codeOf(store.append('s', entry(1), version))).toBe('conflict')
    await store.append('s', entry(1), now)
    expect((await store.read('s'))?.entries).toEqual([large, entry(1)])
  })

  test('keeps concurrent appends, and reports them as concurrent', async () => {
    const { folder, version } = await setUp(1)
    const stores = Array.from({ length: 8 }, () => fileStore({ fs, folder }))
    const results = await Promise.allSettled(
      stores.map((store, i) => store.append('s', entry(10 + i), version)),
    )
    const stored = results.filter((result) => result.status === 'fulfilled')
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'conflict' })
    const read = await fileStore({ fs, folder }).read('s')
    expect(read?.entries).toHaveLength(2 + stored.length)
    if (stored.length > 1)
      expect(stored.filter(({ value }) => value.concurrent).length).toBeGreaterThanOrEqual(stored.length - 1)
    for (const { value } of stored.filter(({ value }) => value.concurrent)) {
      expect(await codeOf(fileStore({ fs, folder }).append('s', entry(1), value.version))).toBe('conflict')
    }
  })

  test('keeps entries that others write while it rewrites the file', async () => {
    const folder = scratchFolder()
    const large = (n: number) => JSON.stringify(`${n}`.repeat(1_200_000))
    const other = fileStore({ fs, folder })
    let late: (() => Promise<unknown>) | undefined
    /** Lets another writer run right before the new file replaces the old one. */
    const slow = {
      ...fs,
      rename: async (from: string, to: string) => {
        await late?.()
        late = undefined
        await fs.rename(from, to)
      },
    }
    const store = fileStore({ fs: slow, folder })
    const { version } = await store.replace('s', large(1))
    const seen = async () => (await other.read('s'))?.version ?? ''
    late = async () => other.append('s', entry(1), await seen())
    const next = await store.replace('s', large(2), version)
    expect((await other.read('s'))?.entries).toEqual([large(2), entry(1)])
    expect(await codeOf(store.append('s', entry(9), next.version))).toBe('conflict')
    // The same for a checkpoint, and for an append after it.
    late = async () => other.replace('s', checkpoint(3), await seen())
    await store.replace('s', large(4), await seen())
    expect((await other.read('s'))?.entries).toEqual([checkpoint(3)])
    await other.append('s', entry(5), await seen())
    expect((await store.read('s'))?.entries).toEqual([checkpoint(3), entry(5)])
  })

  test.each(['EPERM', 'ENOTSUP', 'EIO'])(
    'tells of a session that was created although its link failed with %s',
    async (code) => {
      for (const isMade of [true, false]) {
        const folder = scratchFolder()
        const link = async (from: string, to: string) => {
          if (isMade) await fs.link(from, to)
          throw Object.assign(new Error(code), { code })
        }
        const create = () => fileStore({ fs: { ...fs, link }, folder }).replace('s', checkpoint(1))
        if (!isMade && code === 'EIO') await expect(create()).rejects.toMatchObject({ isWritten: false })
        else await create()
        expect(await codeOf(create())).toBe(!isMade && code === 'EIO' ? 'store_failed' : 'conflict')
        expect(await fs.readdir(folder)).toEqual(!isMade && code === 'EIO' ? [] : ['s.jsonl'])
      }
    },
  )

  test('does not say whether a session was created if neither the link nor the questions after it are answered', async () => {
    const failure = Object.assign(new Error('EPERM'), { code: 'EPERM' })
    let isAnswered = true
    const flaky = {
      ...fs,
      link: async (from: string, to: string) => {
        await fs.link(from, to)
        isAnswered = false
        throw failure
      },
      lstat: async (path: string) => {
        if (!isAnswered) throw failure
        return fs.lstat(path)
      },
    }
    const store = fileStore({ fs: flaky as never, folder: scratchFolder() })
    const error = await store.replace('s', checkpoint(1)).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'store_failed' })
    expect(error).not.toHaveProperty('isWritten')
    isAnswered = true
    expect((await store.read('s'))?.entries).toEqual([checkpoint(1)])
  })

  test('refuses a file that is not a session, and leaves it unchanged', async () => {
    const folder = scratchFolder()
    await fs.writeFile(`${folder}/s.jsonl`, '{"role":"user","content":"hi"}\n')
    const store = fileStore({ fs, folder })
    expect(await codeOf(store.read('s'))).toBe('unreadable_session')
    expect(await codeOf(store.replace('s', checkpoint(1)))).toBe('conflict')
    expect(await fs.readFile(`${folder}/s.jsonl`, 'utf8')).toBe('{"role":"user","content":"hi"}\n')
  })

  test('refuses a missing folder or fs, and an fs with callbacks', () => {
    expect(() => fileStore({ fs, folder: '' })).toThrow(TrimtabError)
    for (const options of [undefined, { folder: 'x' }, { fs: callbacks, folder: 'x' }])
      expect(() => fileStore(options as never)).toThrow(
        expect.objectContaining({ code: 'invalid_option', argument: 'fs' }),
      )
  })
})

describe('unstorageStore', () => {
  /** A storage whose calls can each be held back until they are released. */
  test('loses no entry of writers whose calls interleave, and gives all readers the same order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 3 }), async (scheduler, count) => {
        const storage = createStorage()
        const start = unstorageStore({ storage })
        await start.replace('s', checkpoint(0))
        const slow = new Proxy(storage, {
          get: (target, key) => {
            const member = Reflect.get(target, key) as unknown
            if (typeof member !== 'function') return member
            return async (...args: unknown[]) => {
              await scheduler.schedule(Promise.resolve(), String(key))
              return member.apply(target, args) as unknown
            }
          },
        })
        const written: string[] = []
        const writer = async (name: number) => {
          const store = unstorageStore({ storage: slow })
          for (let i = 0; i < 2; i++) {
            const text = JSON.stringify({ writer: name, i })
            const version = (await store.read('s'))?.version ?? ''
            try {
              await store.append('s', text, version)
              written.push(text)
            } catch (error) {
              expect(error).toMatchObject({ code: 'conflict' })
            }
          }
        }
        const writers = Array.from({ length: count }, (_, name) => writer(name))
        await scheduler.waitFor(Promise.all(writers))
        const entries = (await start.read('s'))?.entries ?? []
        expect(entries.slice(1).sort()).toEqual(written.sort())
        for (let name = 0; name < count; name++) {
          const mine = entries
            .slice(1)
            .map((text) => JSON.parse(text))
            .filter((one) => one.writer === name)
          expect(mine.map((one) => one.i)).toEqual([...mine.map((one) => one.i)].sort())
        }
        // All readers see the same order.
        expect((await unstorageStore({ storage }).read('s'))?.entries).toEqual(entries)
      }),
      { ...runs, numRuns: Math.min(runs.numRuns, 300) },
    )
  })

  test('reports at least one of two overlapping appends as concurrent, and gives the next write a conflict', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const storage = createStorage()
        await unstorageStore({ storage }).replace('s', checkpoint(0))
        const slow = new Proxy(storage, {
          get: (target, key) => {
            const member = Reflect.get(target, key) as unknown
            if (typeof member !== 'function') return member
            return async (...args: unknown[]) => {
              await scheduler.schedule(Promise.resolve(), String(key))
              return member.apply(target, args) as unknown
            }
          },
        })
        const stores = [unstorageStore({ storage: slow }), unstorageStore({ storage: slow })]
        const version = (await unstorageStore({ storage }).read('s'))?.version ?? ''
        const results = await scheduler.waitFor(
          Promise.allSettled(stores.map((store, i) => store.append('s', entry(i), version))),
        )
        const stored = results.filter((result) => result.status === 'fulfilled')
        expect((await unstorageStore({ storage }).read('s'))?.entries).toHaveLength(1 + stored.length)
        if (stored.length < 2) return
        expect(stored.some(({ value }) => value.concurrent)).toBe(true)
        for (const [i, { value }] of stored.entries()) {
          const next = stores[i]?.append('s', entry(9), value.version) as Promise<unknown>
          expect(await scheduler.waitFor(codeOf(next))).toBe('conflict')
        }
      }),
      { ...runs, numRuns: Math.min(runs.numRuns, 500) },
    )
  })

  test('returns both of two concurrent checkpoints', async () => {
    const storage = createStorage()
    const { version } = await unstorageStore({ storage }).replace('s', checkpoint(0))
    const stores = [unstorageStore({ storage }), unstorageStore({ storage })]
    const stored = await Promise.all(stores.map((store, i) => store.replace('s', checkpoint(1 + i), version)))
    expect(stored.some(({ concurrent }) => concurrent)).toBe(true)
    const read = await stores[0]?.read('s')
    expect([...(read?.entries ?? []), ...(read?.unmerged ?? [])].sort()).toEqual([
      checkpoint(1),
      checkpoint(2),
    ])
    // The next write includes both.
    await stores[0]?.replace('s', checkpoint(3), read?.version)
    expect(await stores[1]?.read('s')).toMatchObject({ entries: [checkpoint(3)], unmerged: [] })
  })

  test('keeps an append concurrent with a checkpoint', async () => {
    const storage = createStorage()
    const { version } = await unstorageStore({ storage }).replace('s', checkpoint(0))
    const [first, second] = [unstorageStore({ storage }), unstorageStore({ storage })]
    await Promise.all([first.replace('s', checkpoint(1), version), second.append('s', entry(1), version)])
    expect((await first.read('s'))?.entries).toEqual([checkpoint(1), entry(1)])
  })

  test('removes entries that checkpoints replaced', async () => {
    const storage = createStorage()
    const store = unstorageStore({ storage })
    let { version } = await store.replace('s', checkpoint(0))
    for (let i = 0; i < 30; i++) {
      version = (await store.append('s', entry(i), version)).version
      if (i % 10 === 9) version = (await store.replace('s', checkpoint(i), version)).version
    }
    expect((await storage.getKeys()).length).toBeLessThan(15)
    expect((await store.read('s'))?.entries).toEqual([checkpoint(29)])
  })

  test('does not overwrite an entry that was stored although its write failed', async () => {
    const storage = createStorage()
    let failing = false
    const flaky = new Proxy(storage, {
      get: (target, key) =>
        key === 'setItem' && failing
          ? async (name: string, value: string) => {
              await target.setItem(name, value)
              throw new Error('the connection was lost')
            }
          : Reflect.get(target, key),
    })
    const store = unstorageStore({ storage: flaky })
    const { version } = await store.replace('s', checkpoint(0))
    failing = true
    expect(await codeOf(store.append('s', entry(1), version))).toBe('store_failed')
    failing = false
    expect(await codeOf(store.append('s', entry(2), version))).toBe('conflict')
    expect((await store.read('s'))?.entries).toEqual([checkpoint(0), entry(1)])
  })

  test('ignores other keys in its storage', async () => {
    const storage = createStorage()
    await storage.setItem('trimtab-other:x', 'y')
    await storage.setItem('sessions:other', 'y')
    const store = unstorageStore({ storage: prefixStorage(storage, 'app'), base: 'sessions' })
    await store.replace('s', checkpoint(0))
    expect(await store.list()).toEqual(['s'])
    expect(await unstorageStore({ storage }).list()).toEqual([])
  })

  test('refuses a missing storage, and an invalid base', () => {
    expect(() => unstorageStore({ storage: {} as never })).toThrow(TrimtabError)
    expect(() => unstorageStore(undefined as never)).toThrow(TrimtabError)
    for (const base of ['', ':', 'a:', 'a/b', '..']) {
      expect(() => unstorageStore({ storage: createStorage(), base })).toThrow(TrimtabError)
    }
  })
})
