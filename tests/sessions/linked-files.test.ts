// Session files that are links: the file that the link leads to is the session, for every call.
import * as fs from 'node:fs/promises'
import { TrimtabError } from 'trimtab'
import {
  fileStore,
  loadSession,
  type SessionFileSystem,
  type SessionStore,
  saveSession,
} from 'trimtab/sessions'
import { expect, test } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { assistant, loadedFrom, user } from './messages.js'

const SECRET = 'content that must go'
const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{}' } }
const START = [
  user('start'),
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: SECRET },
]
const erased = (history: readonly object[]) => [
  ...history.slice(0, 2),
  { ...history[2], metadata: { ephemeral: true } },
  ...history.slice(3),
]

interface Linked {
  /** Folder with the link `s.jsonl`. */
  folder: string
  /** Folder with the file. */
  other: string
  link: string
  file: string
  open(system?: SessionFileSystem): SessionStore
}

/** A session whose file was moved to another folder, under this name, with a link in its place. */
async function linked(name = 'real.jsonl', isRelative = false): Promise<Linked> {
  const root = scratchFolder()
  const [folder, other] = [`${root}/sessions`, `${root}/other`]
  const [link, file] = [`${folder}/s.jsonl`, `${other}/${name}`]
  await fs.mkdir(other)
  const open = (system: SessionFileSystem = fs) => fileStore({ fs: system, folder })
  await saveSession(open(), 's', { history: START })
  await fs.rename(link, file)
  await fs.symlink(isRelative ? `../other/${name}` : file, link)
  return { folder, other, link, file, open }
}

const isLink = async (path: string) => (await fs.lstat(path)).isSymbolicLink()

test.each([
  ['real.jsonl', false],
  ['real.jsonl', true],
  ['real', false],
  ['a\\b.jsonl', true],
] as const)('a save changes the file that the link leads to: %s', async (name, isRelative) => {
  const { open, link, file, folder, other } = await linked(name, isRelative)
  const store = open()
  const history = [...(await loadedFrom(store)), user('more')]
  expect((await saveSession(store, 's', { history })).written).toBe('append')
  expect((await saveSession(store, 's', { history: erased(history) })).written).toBe('checkpoint')
  expect(await fs.readFile(file, 'utf8')).not.toContain(SECRET)
  expect(await isLink(link)).toBe(true)
  expect([await fs.readdir(folder), await fs.readdir(other)]).toEqual([['s.jsonl'], [name]])
  expect(await loadedFrom(open())).toHaveLength(4)
})

test('two names of a session in one folder are one session', async () => {
  const { open, link, folder } = await linked()
  await fs.rm(link)
  await saveSession(open(), 'real', { history: START })
  await fs.symlink('real.jsonl', link)
  const [one, two] = [open(), open()]
  const [history, others] = [await loadedFrom(one, 's'), await loadedFrom(two, 'real')]
  await saveSession(one, 's', { history: erased(history) })
  expect(await codeOf(saveSession(two, 'real', { history: [...others, assistant('lost')] }))).toBe('conflict')
  await saveSession(two, 'real', { history: [...(await loadedFrom(two, 'real')), assistant('kept')] })
  expect(await loadedFrom(open(), 's')).toHaveLength(4)
  expect((await fs.readdir(folder)).sort()).toEqual(['real.jsonl', 's.jsonl'])
})

test('what a killed writer left is found by either name', async () => {
  const { open, link, other, file } = await linked()
  const killed = { ...fs, rename: () => Promise.reject(Object.assign(new Error('killed'), { code: 'EIO' })) }
  const store = open(killed)
  const history = erased(await loadedFrom(store))
  await expect(saveSession(store, 's', { history })).rejects.toMatchObject({ isWritten: true })
  expect(await loadedFrom(fileStore({ fs, folder: other }), 'real')).toHaveLength(3)
  expect(await fs.readFile(file, 'utf8')).not.toContain(SECRET)
  expect(await isLink(link)).toBe(true)
})

test('remove removes the file and the link', async () => {
  const { open, folder, other } = await linked()
  await open().remove('s')
  expect([await fs.readdir(folder), await fs.readdir(other)]).toEqual([[], []])
  expect(await loadSession(open(), 's')).toBeUndefined()
})

test('a link that cannot be followed is an error, and stays', async () => {
  const { open, link } = await linked()
  let fails = false
  const realpath = (path: string) =>
    fails ? Promise.reject(Object.assign(new Error('injected'), { code: 'EIO' })) : fs.realpath(path)
  const store = open({ ...fs, realpath })
  const history = await loadedFrom(store)
  fails = true
  const save = saveSession(store, 's', { history: erased(history) })
  await expect(save).rejects.toMatchObject({ code: 'store_failed', isWritten: false })
  await expect(save).rejects.toBeInstanceOf(TrimtabError)
  await expect(store.sync?.('s')).rejects.toMatchObject({ code: 'store_failed', isWritten: true })
  expect(await isLink(link)).toBe(true)
})

test('a folder that is a link has the same sessions', async () => {
  const { folder, open } = await linked()
  await fs.symlink(folder, `${folder}-link`)
  const store = fileStore({ fs, folder: `${folder}-link` })
  expect(await loadedFrom(store)).toHaveLength(3)
  await saveSession(store, 'new', { history: START })
  await saveSession(store, 'new', { history: erased(START) })
  await store.remove('new')
  expect(await open().list()).toEqual(['s'])
  expect(await fs.readdir(folder)).toEqual(['s.jsonl'])
})
