// What is no part of a session any more, or never was, and is still stored: a save with ephemeral content erases it.
import { fileStore, loadSession, type SessionFileSystem, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { loadedFrom, user } from './messages.js'
import { MemoryFs } from './schedules/memory-fs.js'
import { places } from './stores.js'

const SECRET = 'content of a file that must go '
const FOLDER = '/sessions'
const call = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }],
})
const result = (id: string, content = SECRET) => ({
  role: 'tool',
  tool_call_id: id,
  content: content.repeat(20),
})
const marked = (message: object) => ({ ...message, metadata: { ephemeral: true } })
const START = [user('go'), call('c')]

describe.each(places)('in %s', (_, make) => {
  test.each(['in the same process', 'in another'])(
    'what was saved, removed and then marked is erased, %s',
    async (where) => {
      const place = make()
      const store = place.open()
      await saveSession(store, 's', { history: START })
      await saveSession(store, 's', { history: [...START, result('c')] })
      await saveSession(store, 's', { history: START })
      const later = where === 'in another' ? place.open() : store
      const history = [...(await loadedFrom(later)), marked(result('c'))]
      await saveSession(later, 's', { history })
      expect(await place.texts()).not.toContain(SECRET)
      expect((await saveSession(later, 's', { history })).written).toBe('nothing')
      expect((await saveSession(later, 's', { history: [...history, user('on')] })).written).toBe('append')
    },
  )

  test('the same in a field', async () => {
    const place = make()
    const store = place.open()
    const history = [user('go')]
    await saveSession(store, 's', { history, archive: [result('c')] })
    await saveSession(store, 's', { history: [user('edited')] })
    await saveSession(store, 's', { history: [user('edited')], archive: [marked(result('c'))] })
    expect(await place.texts()).not.toContain(SECRET)
  })
})

interface Writer {
  memory: MemoryFs
  store: ReturnType<typeof fileStore>
  /** Called at the next write to the session's file, with the number of bytes; returns how many are written. */
  onWrite: (work: (length: number) => Promise<number | undefined>) => void
}

/** A writer of a session file, each of whose writes can be cut short or come second. */
async function writer(): Promise<Writer> {
  const memory = new MemoryFs()
  await saveSession(fileStore({ fs: memory.fs, folder: FOLDER }), 's', { history: START })
  let next: ((length: number) => Promise<number | undefined>) | undefined
  const open: SessionFileSystem['open'] = async (path, flags, mode) => {
    const file = await memory.fs.open(path, flags, mode)
    const write: typeof file.write = async (bytes, offset, length, position) => {
      const now = await next?.(length)
      return file.write(bytes, offset, now ?? length, position)
    }
    return new Proxy(file, {
      get: (target, key) => {
        if (key === 'write' && flags !== 'wx') return write
        const member: unknown = Reflect.get(target, key)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  }
  const store = fileStore({ fs: { ...memory.fs, open }, folder: FOLDER })
  return { memory, store, onWrite: (work) => (next = work) }
}

const filesWithSecret = ({ memory }: Writer) =>
  [...memory.texts()].filter(([, text]) => text.includes(SECRET)).map(([name]) => name)

describe.each(['the same process', 'another process'])('marked by %s, nothing stays', (where) => {
  const another = ({ memory }: Writer) => fileStore({ fs: memory.fs, folder: FOLDER })

  test('of a save that was written in part', async () => {
    const files = await writer()
    const history = [...(await loadedFrom(files.store)), result('c')]
    files.onWrite(async (length) => length - 20)
    const error = await saveSession(files.store, 's', { history }).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'store_failed', isWritten: false })
    expect(filesWithSecret(files)).toHaveLength(1)
    files.onWrite(async () => undefined)
    const store = where === 'another process' ? another(files) : files.store
    if (store !== files.store) expect((await loadSession(store, 's'))?.repairs).toHaveLength(3)
    await saveSession(store, 's', { history: [...START, marked(result('c')), user('on')] })
    expect(filesWithSecret(files)).toEqual([])
    expect(await loadSession(store, 's')).toMatchObject({ repairs: [], session: { history: { length: 4 } } })
  })

  test('of a save that came second', async () => {
    const files = await writer()
    const history = [...(await loadedFrom(files.store)), result('c')]
    let isLate = false
    files.onWrite(async () => {
      if (!isLate) await saveSession(another(files), 's', { history: [...START, result('c', 'of another ')] })
      isLate = true
      return undefined
    })
    expect(await codeOf(saveSession(files.store, 's', { history }))).toBe('conflict')
    expect(filesWithSecret(files)).toHaveLength(1)
    const store = where === 'another process' ? another(files) : files.store
    const loaded = await loadSession(store, 's')
    expect(loaded).toMatchObject({ repairs: [], session: { history: { length: 3 } } })
    await saveSession(store, 's', {
      history: [...(loaded?.session.history ?? []), call('d'), marked(result('d'))],
    })
    expect(filesWithSecret(files)).toEqual([])
    expect(await loadedFrom(store)).toHaveLength(5)
  })
})

describe('the temporary file of a writer that was killed', () => {
  const open = (memory: MemoryFs, changes: Partial<SessionFileSystem> = {}) =>
    fileStore({ fs: { ...memory.fs, ...changes }, folder: FOLDER })
  const never = () => new Promise<never>(() => undefined)
  const files = (memory: MemoryFs) => [...memory.texts().keys()]
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20))

  /** A session with two results, whose writer was killed when it had written the file without the second. */
  async function killed(): Promise<MemoryFs> {
    const memory = new MemoryFs()
    const history: object[] = [...START, result('c'), call('d'), result('d', 'another secret ')]
    await saveSession(open(memory), 's', { history })
    await saveSession(open(memory), 's-2', { history })
    let isKilled = false
    const dying = open(memory, {
      open: (path, flags, mode) => (isKilled && flags === 1026 ? never() : memory.fs.open(path, flags, mode)),
    })
    await loadSession(dying, 's')
    isKilled = true
    void saveSession(dying, 's', { history: history.with(4, marked(history[4] ?? {})) })
    await wait()
    expect(files(memory)).toHaveLength(3)
    return memory
  }

  test('is removed by the next one that rewrites the session', async () => {
    const memory = await killed()
    const store = open(memory)
    const history = (await loadedFrom(store)).map((message) =>
      'tool_call_id' in message ? marked(message) : message,
    )
    expect((await saveSession(store, 's', { history })).written).toBe('checkpoint')
    expect(files(memory).sort()).toEqual([`${FOLDER}/s-2.jsonl`, `${FOLDER}/s.jsonl`])
    expect(memory.texts().get(`${FOLDER}/s.jsonl`)).not.toContain(SECRET)
    expect(await loadedFrom(store, 's-2')).toHaveLength(5)
  })

  test('is removed with the session, and with one that was never created', async () => {
    const memory = await killed()
    await open(memory).remove('s')
    expect(files(memory)).toEqual([`${FOLDER}/s-2.jsonl`])
    void saveSession(open(memory, { link: never }), 'new', { history: START })
    await wait()
    expect(files(memory)).toHaveLength(2)
    await open(memory).remove('ne')
    await open(memory).remove('s')
    expect(files(memory)).toHaveLength(2)
    await open(memory).remove('new')
    expect(files(memory)).toEqual([`${FOLDER}/s-2.jsonl`])
  })

  test('that cannot be removed is named', async () => {
    const memory = await killed()
    const unlink = async (path: string) => {
      throw Object.assign(new Error('busy'), { code: 'EBUSY', path })
    }
    const store = open(memory, { unlink })
    const history = (await loadedFrom(store)).map((message) =>
      'tool_call_id' in message ? marked(message) : message,
    )
    await expect(saveSession(store, 's', { history })).rejects.toMatchObject({
      code: 'store_failed',
      isWritten: true,
      leftover: expect.stringMatching(/^\/sessions\/\.s\.[0-9a-f]{16}\.trimtab-tmp$/),
    })
    expect(JSON.stringify(await loadedFrom(open(memory)))).not.toContain(SECRET)
  })

  test('stays in a folder that may not be listed, and the session is saved', async () => {
    const memory = await killed()
    const readdir = async () => {
      throw Object.assign(new Error('not permitted'), { code: 'EACCES' })
    }
    const store = open(memory, { readdir })
    const history = [...START, marked(result('c'))]
    await loadSession(store, 's')
    expect((await saveSession(store, 's', { history })).written).toBe('checkpoint')
    expect(files(memory)).toHaveLength(3)
  })

  test('is of one that still writes: it is told that there is a conflict', async () => {
    const memory = new MemoryFs()
    await saveSession(open(memory), 's', { history: [...START, result('c')] })
    let go: () => void = () => undefined
    const isGoing = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = open(memory, {
      open: async (path, flags, mode) => {
        if (flags === 1026) await isGoing
        return memory.fs.open(path, flags, mode)
      },
    })
    const erased = async (store: ReturnType<typeof open>) =>
      saveSession(store, 's', { history: (await loadedFrom(store)).with(2, marked(result('c'))) })
    const late = codeOf(erased(slow))
    await wait()
    expect(files(memory)).toHaveLength(2)
    await erased(open(memory))
    expect(files(memory)).toEqual([`${FOLDER}/s.jsonl`])
    go()
    expect(await late).toBe('conflict')
    expect(files(memory)).toEqual([`${FOLDER}/s.jsonl`])
  })
})
