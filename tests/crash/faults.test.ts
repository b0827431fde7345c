// Every file system call fails once, with every fault: nothing that was stored is lost.
import * as realFs from 'node:fs/promises'
import { join } from 'node:path'
import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, type SavedSession, saveSession } from 'trimtab/sessions'
import { createWorkspace } from 'trimtab/workspace'
import { afterAll, describe, expect, test } from 'vitest'
import { type Fault, type Faulty, faultyFs } from '../workspace/faulty-fs.js'
import { scratchFolder } from '../workspace/folder.js'

const FAULTS: Fault[] = ['ENOSPC', 'EIO', 'EPERM', 'short write']
const OLD = 'the old content\n'.repeat(500)
const NEW = 'the new content, which is longer\n'.repeat(700)

let runs = 0
afterAll(() => {
  console.log(`files and sessions: ${runs} runs with a fault`)
  expect(runs).toBeGreaterThan(900)
})

/** Runs `work` with the fault at each call in turn, once or from there on, until there are no more calls. */
async function atEveryCall(
  fault: Fault,
  forever: boolean,
  work: (faulty: Faulty) => Promise<void>,
): Promise<number> {
  for (let at = 0; ; at++) {
    const faulty = faultyFs(fault, at, forever)
    await work(faulty)
    runs++
    if (at > faulty.calls()) return at
  }
}

const attempt = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe.each(FAULTS)('a file system call fails with %s', (fault) => {
  test.each([
    ['once', false],
    ['from then on', true],
  ])('%s: a file has its old or new content, and the failure is reported', async (_, forever) => {
    const calls = await atEveryCall(fault, forever, async (faulty) => {
      const root = scratchFolder()
      await realFs.writeFile(join(root, 'file.txt'), OLD)
      await realFs.chmod(join(root, 'file.txt'), 0o640)
      const error = await attempt(createWorkspace({ fs: faulty.fs, root }).writeFile('file.txt', NEW))
      const found = await realFs.readFile(join(root, 'file.txt'), 'utf8')
      expect([OLD, NEW]).toContain(found)
      expect((await realFs.stat(join(root, 'file.txt'))).mode & 0o777).toBe(0o640)
      if (error === undefined) expect(found).toBe(NEW)
      else expect(error).toBeInstanceOf(TrimtabError)
      // A single fault leaves no temporary file behind; a lasting one may prevent the cleanup.
      if (!forever && error !== undefined) expect(await realFs.readdir(root)).toEqual(['file.txt'])
    })
    expect(calls).toBeGreaterThan(10)
  })

  test.each([
    ['once', false],
    ['from then on', true],
  ])('%s: a new file is written completely or not at all', async (_, forever) => {
    await atEveryCall(fault, forever, async (faulty) => {
      const root = scratchFolder()
      const write = createWorkspace({ fs: faulty.fs, root }).writeFile('a/b.txt', NEW, {
        expectedDigest: null,
      })
      const error = await attempt(write)
      const found = await realFs.readFile(join(root, 'a/b.txt'), 'utf8').catch(() => undefined)
      if (error === undefined) expect(found).toBe(NEW)
      else expect([undefined, NEW]).toContain(found)
    })
  })

  test.each([
    ['once', false],
    ['from then on', true],
  ])('%s: a session keeps every saved turn', async (_, forever) => {
    const big = 'x'.repeat(600_000)
    const message = (text: string) => ({ role: 'user', content: text })
    /** Appends, edits (several, so that the file is rewritten) and an append: every save can fail. */
    const histories = [
      [message('1')],
      [message('1'), message('2')],
      [message('edited'), message(big)],
      [message('edited again'), message(big)],
      [message('edited once more'), message(big)],
      [message('edited once more'), message(big), message('last')],
    ]
    const calls = await atEveryCall(fault, forever, async (faulty) => {
      const folder = scratchFolder()
      const store = fileStore({ fs: faulty.fs, folder })
      let saved: SavedSession | undefined
      let tried: SavedSession | undefined
      for (const history of histories) {
        tried = { version: 1, history }
        const error = await attempt(saveSession(store, 's', tried))
        if (error !== undefined) {
          expect(error).toBeInstanceOf(TrimtabError)
          break
        }
        saved = tried
      }
      const loaded = await loadSession(fileStore({ fs: realFs, folder }), 's')
      // A failed save may have been stored nevertheless, such as when only the sync fails.
      expect([saved, tried]).toContainEqual(loaded?.session)
      // The session continues from there.
      const store2 = fileStore({ fs: realFs, folder })
      await loadSession(store2, 's')
      const history = [...(loaded?.session.history ?? []), message('after')]
      await saveSession(store2, 's', { history })
      expect((await loadSession(fileStore({ fs: realFs, folder }), 's'))?.session.history).toEqual(history)
    })
    expect(calls).toBeGreaterThan(30)
  })

  test('a store can save again after a failed save', async () => {
    await atEveryCall(fault, false, async (faulty) => {
      const folder = scratchFolder()
      const store = fileStore({ fs: realFs, folder })
      await saveSession(store, 's', { history: [{ role: 'user', content: '1' }] })
      const failing = fileStore({ fs: faulty.fs, folder })
      const session = {
        history: [
          { role: 'user', content: '1' },
          { role: 'user', content: '2' },
        ],
      }
      for (let i = 0; i < 3; i++) {
        const error = await attempt(saveSession(failing, 's', session))
        if (error === undefined) break
        // It was stored nevertheless: the session has to be loaded again.
        if ((error as TrimtabError).code === 'conflict') await loadSession(failing, 's')
      }
      expect((await loadSession(store, 's'))?.session.history).toEqual(session.history)
    })
  })
})
