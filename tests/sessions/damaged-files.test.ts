// Session files that a disk or another program changed: what is loaded is what was saved, or the load says what is not.
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, saveSession } from 'trimtab/sessions'
import { readTranscript } from 'trimtab/transcripts'
import { expect, test, vi } from 'vitest'
import { codeOf } from '../workspace/code-of.js'
import { scratchFolder } from '../workspace/folder.js'
import { user } from './messages.js'
import { MemoryFs } from './schedules/memory-fs.js'

const FOLDER = '/sessions'
const FILE = `${FOLDER}/s.jsonl`
const TEXTS = ['héllo one', 'two', 'three', 'four', 'five']
const textsOf = (history: readonly object[]) =>
  history.map((message) => (message as { content: string }).content)

/** The file of a session to which four turns were added, one by one. */
async function savedFile(): Promise<Buffer> {
  const memory = new MemoryFs()
  const store = fileStore({ fs: memory.fs, folder: FOLDER })
  const history = []
  for (const text of TEXTS) {
    history.push(user(text))
    await saveSession(store, 's', { history, ...(text !== 'two' && { usage: { last: text } }) })
  }
  return Buffer.from(memory.texts().get(FILE) ?? '')
}

/** A store whose file has these bytes. */
async function storeOf(bytes: Uint8Array) {
  const memory = new MemoryFs()
  await memory.fs.mkdir(FOLDER)
  const file = await memory.fs.open(FILE, 'wx')
  await file.write(bytes, 0, bytes.length, null)
  return fileStore({ fs: memory.fs, folder: FOLDER })
}

/** The lines of a file after its first: the checkpoint, and the entries after it. */
const linesOf = (file: Buffer) => file.toString().split('\n').slice(1)
const fileOf = (file: Buffer, lines: string[]) =>
  Buffer.from([file.toString().split('\n')[0], ...lines].join('\n'))
const bytesOf = (line: string) => Buffer.byteLength(line)
const damaged = (line: string) => line.replace('"role":"user"', '"role":"usor"')

test('each line has the CRC-32 of what stands before it', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  expect(lines).toHaveLength(TEXTS.length)
  for (const line of lines) {
    const [, fields = '', crc = ''] = /^(.*),"crc":"([0-9a-f]{8})"\}$/.exec(line) ?? []
    expect(crc).toBe(crc32(fields).toString(16).padStart(8, '0'))
    expect(JSON.parse(line)).toHaveProperty('entry')
  }
})

test('without the function of Node, a CRC-32 is the same, at each length', async () => {
  vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
  vi.resetModules()
  try {
    const own = await import('../../js/src/sessions/stores/crc32.js')
    for (const length of [...Array(20).keys(), 1000, 65_537]) {
      const bytes = randomBytes(length)
      expect(own.crc32(bytes)).toBe(crc32(bytes))
    }
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a bit that is changed anywhere loses nothing in silence', async () => {
  const file = await savedFile()
  const whole = JSON.stringify((await loadSession(await storeOf(file), 's'))?.session)
  const counts = { same: 0, reported: 0, refused: 0 }
  for (let at = 0; at < file.length; at++)
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] as number) ^ (1 << bit)
      try {
        const loaded = await loadSession(await storeOf(changed), 's')
        const isSame = JSON.stringify(loaded?.session) === whole
        if (!isSame) expect([`byte ${at}, bit ${bit}`, loaded?.repairs]).not.toEqual([expect.anything(), []])
        counts[isSame ? 'same' : 'reported']++
      } catch (error) {
        if (!(error instanceof TrimtabError)) throw error
        expect(error.code).toBe('unreadable_session')
        counts.refused++
      }
    }
  // Those of the first line's name for the file, which is as good as another.
  expect(counts.same).toBeLessThan(16 * 8)
  expect(counts.reported).toBeGreaterThan(1000)
})

test.each([1, 2, 3, 4])('of a damaged line %i, only that one is lost, and it is reported', async (at) => {
  const file = await savedFile()
  const lines = linesOf(file)
  const store = await storeOf(fileOf(file, lines.with(at, damaged(lines[at] ?? ''))))
  const loaded = await loadSession(store, 's')
  const rest = TEXTS.toSpliced(at, 1)
  expect(textsOf(loaded?.session.history ?? [])).toEqual(rest)
  expect(loaded?.repairs).toEqual([{ line: at + 2, bytes: bytesOf(lines[at] ?? '') }])
  // The session goes on, and the damage is still reported.
  await saveSession(store, 's', { history: [...(loaded?.session.history ?? []), user('next')] })
  const next = await loadSession(store, 's')
  expect(textsOf(next?.session.history ?? [])).toEqual([...rest, 'next'])
  expect(next?.repairs).toEqual(loaded?.repairs)
})

test('several damaged lines, and two that became one, are reported', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  const [start = '', a = '', b = '', c = '', d = ''] = lines
  const changed = fileOf(file, [start, damaged(a), damaged(b), c, d])
  const loaded = await loadSession(await storeOf(changed), 's')
  expect(textsOf(loaded?.session.history ?? [])).toEqual(['héllo one', 'four', 'five'])
  expect(loaded?.repairs.map(({ line }) => line)).toEqual([3, 4])
  const joined = await loadSession(await storeOf(fileOf(file, [start, a, `${b} ${c}`, d])), 's')
  expect(textsOf(joined?.session.history ?? [])).toEqual(['héllo one', 'two', 'five'])
  expect(joined?.repairs).toEqual([{ line: 4, bytes: bytesOf(b) + bytesOf(c) + 1 }])
})

test('lines after one that was cut out are reported, since their place is not known', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  const loaded = await loadSession(await storeOf(fileOf(file, lines.toSpliced(2, 1))), 's')
  expect(textsOf(loaded?.session.history ?? [])).toEqual(['héllo one', 'two'])
  expect(loaded?.repairs.map(({ line }) => line)).toEqual([4, 5])
})

test('a damaged first checkpoint is refused with its line', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  const store = await storeOf(fileOf(file, lines.with(0, damaged(lines[0] ?? ''))))
  await expect(loadSession(store, 's')).rejects.toMatchObject({ code: 'unreadable_session', line: 2 })
})

test('a line that is not valid because another writer was first is no damage', async () => {
  const folder = scratchFolder()
  const first = fileStore({ fs, folder })
  const { version } = await first.replace('s', '{"checkpoint":0}')
  /** Lets the first writer add a line after the other one has looked for one. */
  const late = {
    ...fs,
    open: async (path: string, flags: string | number) => {
      const file = await fs.open(path, flags)
      const write = file.write.bind(file)
      const added = async (bytes: Uint8Array, offset: number, length: number, position: null) => {
        await first.append('s', '{"entry":1}', version)
        return write(bytes, offset, length, position)
      }
      return Object.assign(file, { write: added }) as never
    },
  }
  expect(await codeOf(fileStore({ fs: late, folder }).append('s', '{"entry":2}', version))).toBe('conflict')
  expect(await fs.readFile(`${folder}/s.jsonl`, 'utf8')).toContain('{"entry":2}')
  const read = await first.read('s')
  expect(read).toMatchObject({ entries: ['{"checkpoint":0}', '{"entry":1}'], repairs: [] })
  await first.append('s', '{"entry":3}', read?.version ?? '')
  expect(await first.read('s')).toMatchObject({ repairs: [] })
})

test('a writer that is told of no damage does not overwrite what follows it', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  const [checkpoint = '', first = ''] = lines
  const early = await storeOf(fileOf(file, [checkpoint, first]))
  const { version } = (await early.read('s')) ?? { version: '' }
  const store = await storeOf(fileOf(file, lines.with(2, damaged(lines[2] ?? ''))))
  expect(await codeOf(store.append('s', '{}', version))).toBe('conflict')
})

test('a damaged line of a transcript is skipped and counted', async () => {
  const file = await savedFile()
  const lines = linesOf(file)
  const text = fileOf(file, lines.with(2, damaged(lines[2] ?? ''))).toString()
  const { messages, skipped } = readTranscript(text)
  expect(textsOf(messages)).toEqual(TEXTS.toSpliced(2, 1))
  expect(skipped).toMatchObject([{ reason: expect.stringContaining('damaged'), count: 1 }])
})
