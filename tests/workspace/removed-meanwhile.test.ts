// Another program removes the temporary file, or the folder, before each file system call of a write: no write is
// reported whose content is not there.
import * as fs from 'node:fs/promises'
import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, type SessionFileSystem, saveSession } from 'trimtab/sessions'
import { createTools } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from './folder.js'

const FUNCTIONS = [
  'open',
  'lstat',
  'stat',
  'realpath',
  'readdir',
  'mkdir',
  'link',
  'rename',
  'unlink',
] as const

interface Meddled {
  fs: SessionFileSystem
  /** Name of the call before which the other program ran. */
  at(): string | undefined
}

/** A file system where another program runs before the call with this number. */
function meddled(number: number, other: () => Promise<void>, from: object = fs): Meddled {
  let calls = 0
  let at: string | undefined
  const before = async (name: string) => {
    if (calls++ !== number) return
    at = name
    await other()
  }
  const called = (name: string, target: object) => {
    const work = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>
    return async (...args: unknown[]) => {
      await before(name)
      const result = await work.apply(target, args)
      return name === 'open' ? handleOf(result as object) : result
    }
  }
  const handleOf = (file: object) =>
    new Proxy(file, { get: (_, key) => (key in file ? called(String(key), file) : undefined) })
  const functions = Object.fromEntries(FUNCTIONS.map((name) => [name, called(name, from)]))
  return {
    fs: { ...functions, constants: fs.constants } as unknown as SessionFileSystem,
    at: () => at,
  }
}

async function removeTemporaries(folder: string): Promise<void> {
  const names = await fs.readdir(folder)
  for (const name of names) if (name.endsWith('.trimtab-tmp')) await fs.rm(`${folder}/${name}`)
}

const stopped = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

const textAt = (path: string) => fs.readFile(path, 'utf8').catch(() => undefined)

const MEDDLING: [string, (folder: string) => Promise<void>][] = [
  ['removes the temporary file', removeTemporaries],
  ['removes the folder', (folder) => fs.rm(folder, { recursive: true })],
  ['moves the folder', (folder) => fs.rename(folder, `${folder}-moved`)],
  [
    'makes the folder anew',
    async (folder) => {
      await fs.rm(folder, { recursive: true })
      await fs.mkdir(folder)
    },
  ],
]

describe.each(MEDDLING)('another program %s', (name, meddle) => {
  test.each([
    ['is replaced', 'old', {}],
    ['is created', undefined, {}],
    ['must be new', undefined, { expectedDigest: null }],
  ])('while a file %s: a write is told as it is', async (_, old, options) => {
    const answers = new Set<string>()
    for (let number = 0; ; number++) {
      const root = scratchFolder()
      const folder = `${root}/a`
      await fs.mkdir(folder)
      if (old !== undefined) await fs.writeFile(`${folder}/b.txt`, old)
      let before: string | undefined
      const other = meddled(number, async () => {
        before = await textAt(`${folder}/b.txt`)
        await meddle(folder)
      })
      const workspace = createWorkspace({ fs: other.fs, root })
      const error = await stopped(workspace.writeFile('a/b.txt', 'new', options))
      const at = other.at()
      if (at === undefined) break
      const found = await textAt(`${folder}/b.txt`)
      answers.add(`${error instanceof TrimtabError ? error.isWritten : error} ${found}`)
      if (name === 'removes the temporary file') expect([at, error, found]).toEqual([at, undefined, 'new'])
      // What happens after the file was put in place is a later change.
      else if (error === undefined) expect([found, before]).toContain('new')
      else expect(error).toMatchObject({ isWritten: found === 'new' })
    }
    expect(answers).toContain('undefined new')
  })

  test.each(['create', 'rewrite'])(
    'while a session is saved (%s): the save is told as it is',
    async (how) => {
      for (let number = 0; ; number++) {
        const folder = `${scratchFolder()}/a`
        const store = (system: SessionFileSystem) => fileStore({ fs: system, folder })
        const secret = { role: 'tool', tool_call_id: 'c', content: 'SECRET' }
        const old = { history: [{ role: 'user', content: 'a' }, secret] }
        let before: string | undefined
        // A save that creates a session makes the folder.
        const other = meddled(number, async () => {
          before = await textAt(`${folder}/s.jsonl`)
          await meddle(folder).catch(() => undefined)
        })
        const saver = store(other.fs)
        if (how === 'rewrite') {
          await saveSession(store(fs), 's', old)
          await loadSession(saver, 's')
        }
        const history = [
          old.history[0] as object,
          { ...secret, metadata: { ephemeral: true } },
          { role: 'user', content: 'THIRD' },
        ]
        const error = await stopped(saveSession(saver, 's', { history }))
        const at = other.at()
        if (at === undefined) break
        const loaded = (await loadSession(store(fs), 's'))?.session.history.length
        const isThere = loaded === 3
        if (name === 'removes the temporary file' && how === 'create')
          expect([at, error]).toEqual([at, undefined])
        // The new content, or a last line that names the file with it.
        if (error === undefined) expect(isThere || /THIRD|"next"/.test(before ?? '')).toBe(true)
        else expect([at, (error as TrimtabError).isWritten]).toEqual([at, isThere])
      }
    },
  )
})

/** A file system that loses each temporary file before it is renamed. */
const losing = {
  ...fs,
  rename: async (from: string, to: string) => {
    await fs.rm(from)
    return fs.rename(from, to)
  },
  link: async (from: string, to: string) => {
    await fs.rm(from)
    return fs.link(from, to)
  },
}

test.each([{}, { expectedDigest: null }])(
  'a write fails if each of its temporary files is removed: %o',
  async (options) => {
    const root = scratchFolder()
    if (!('expectedDigest' in options)) await fs.writeFile(`${root}/a.txt`, 'old')
    const before = await textAt(`${root}/a.txt`)
    const workspace = createWorkspace({ fs: losing, root })
    const failure = { code: 'file_failed', isWritten: false }
    await expect(workspace.writeFile('a.txt', 'new', options)).rejects.toMatchObject(failure)
    await expect(workspace.writeFile('a.txt', 'new', options)).rejects.toThrow(/another program removed/)
    expect(await textAt(`${root}/a.txt`)).toBe(before)
  },
)

test('write_file and edit_file report a file that they could not put in place', async () => {
  const root = scratchFolder()
  await fs.writeFile(`${root}/a.txt`, 'old')
  const tools = createTools(createWorkspace({ fs: losing, root }))
  const run = (name: string, args: object) => tools.find((tool) => tool.name === name)?.execute(args as never)
  expect(await run('write_file', { path: 'a.txt', content: 'new' })).toMatchObject({ isError: true })
  const edit = { path: 'a.txt', old_string: 'old', new_string: 'new' }
  expect(await run('edit_file', edit)).toMatchObject({ isError: true })
  expect(await textAt(`${root}/a.txt`)).toBe('old')
})

test('a rename whose answer is lost counts, also if the same content was there before', async () => {
  const root = scratchFolder()
  const system = {
    ...fs,
    rename: async (from: string, to: string) => {
      await fs.rename(from, to)
      throw Object.assign(new Error('the answer is lost'), { code: 'EIO' })
    },
  }
  const workspace = createWorkspace({ fs: system, root })
  await workspace.writeFile('a.txt', 'new')
  await workspace.writeFile('a.txt', 'new')
  expect(await textAt(`${root}/a.txt`)).toBe('new')
})
