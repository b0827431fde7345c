// Content that was saved and is marked as ephemeral later is erased by the next save, or the save reports
// that it is not: with every fault at every file system call, once and from there on, before and after the
// call's work.
import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, type SessionFileSystem, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import { type Fault, faultyFs } from '../workspace/faulty-fs.js'

const SECRET = 'content of a file that must go '
const FOLDER = '/sessions'
const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
const turn = (i: number) => ({ role: 'user', content: `turn ${i}` })
const history = (isMarked: boolean) => [
  turn(0),
  { role: 'assistant', content: '', tool_calls: [call] },
  {
    role: 'tool',
    tool_call_id: 'c',
    content: SECRET.repeat(10),
    ...(isMarked && { metadata: { ephemeral: true } }),
  },
]

const FAULTS: Fault[] = ['ENOSPC', 'EIO', 'EPERM', 'short write', 'late EIO']

async function attempt(work: Promise<unknown>): Promise<TrimtabError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(TrimtabError)
    return error as TrimtabError
  }
}

const open = (fs: SessionFileSystem) => fileStore({ fs, folder: FOLDER })
const load = async (fs: SessionFileSystem) => (await loadSession(open(fs), 's'))?.session.history
const filesWithSecret = (memory: MemoryFs) =>
  [...memory.texts()].filter(([, text]) => text.includes(SECRET)).map(([name]) => name)
const temporaries = (memory: MemoryFs) =>
  [...memory.texts().keys()].filter((name) => name.endsWith('.trimtab-tmp'))

let runs = 0
let told = 0

describe.each(FAULTS)('erasing ephemeral content with the fault %s', (fault) => {
  test.each([
    ['once', false],
    ['from then on', true],
  ])('%s: the content is erased, or the save reports that it is not', async (_, forever) => {
    for (let at = 0; ; at++) {
      const memory = new MemoryFs()
      await memory.fs.mkdir(FOLDER)
      const store = open(memory.fs)
      await saveSession(store, 's', { history: history(false) })
      const faulty = faultyFs(fault, at, forever, memory.fs)
      const failing = open(faulty.fs)
      await attempt(loadSession(failing, 's'))
      const marked = history(true)
      const error = await attempt(saveSession(failing, 's', { history: marked }))
      const again = error && (await attempt(saveSession(failing, 's', { history: marked })))
      runs++
      if (error !== undefined) told++
      // Reported as saved: the content is gone from every file.
      if (error === undefined || again === undefined) expect(filesWithSecret(memory)).toEqual([])
      // A temporary file stays only if an error named it, or if it is the session's own next file.
      const named = [error?.leftover, again?.leftover]
      const isTold = error?.isWritten !== false || (again !== undefined && again.isWritten !== false)
      if (!isTold) for (const name of temporaries(memory)) expect(named).toContain(name)
      // Without faults, the session can be saved, and only named files stay.
      const end = open(memory.fs)
      const loaded = (await loadSession(end, 's'))?.session.history
      expect(loaded).toHaveLength(3)
      if (error?.isWritten !== undefined)
        expect(JSON.stringify(loaded).includes(SECRET)).toBe(
          !error.isWritten && again !== undefined && !again.isWritten,
        )
      await saveSession(end, 's', { history: [...marked, turn(1)] })
      expect(await load(memory.fs)).toHaveLength(4)
      expect(filesWithSecret(memory).filter((name) => !named.includes(name))).toEqual([])
      if (at > faulty.calls()) break
    }
  })
})

test('more than 100 runs reported a failed save', () => {
  console.log(`erasing: ${runs} runs with a fault, ${told} of them told`)
  expect(told).toBeGreaterThan(100)
})
