// One and two writers of a file while one or two file system calls fail, in every order of their calls: what an error
// says about the file (`isWritten`) is true, and says as much as is known.
import { createHash } from 'node:crypto'
import { TrimtabError } from 'trimtab'
import { createWorkspace } from 'trimtab/workspace'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { failingSteps } from '../sessions/schedules/failing-steps.js'
import { MemoryFs } from '../sessions/schedules/memory-fs.js'
import { explore, type Scenario } from '../sessions/schedules/schedules.js'

const ROOT = '/files'
type Action = 'create' | 'replace' | 'remove'

interface Told {
  /** `done`, or an error code. */
  answer: string
  isWritten?: boolean | undefined
  leftover?: string | undefined
}

const contentOf = (i: number) => `content of writer ${i}`

// The system's own digest is computed in another thread: a schedule would not wait for it.
beforeAll(() => {
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(
    async (_, bytes) =>
      new Uint8Array(
        createHash('sha256')
          .update(bytes as Uint8Array)
          .digest(),
      ).buffer,
  )
})
afterAll(() => vi.restoreAllMocks())

function writers(
  actions: readonly Action[],
  { failures, hasLinks }: { failures: number; hasLinks: boolean },
): Scenario<MemoryFs, Told> {
  return {
    failures,
    world: async () => {
      const shared = new MemoryFs({ hasLinks })
      await shared.fs.mkdir(ROOT)
      const workspace = createWorkspace({ fs: shared.fs, root: ROOT })
      if (!actions.includes('create')) await workspace.writeFile('a.txt', 'old')
      return {
        shared,
        state: () => shared.state(),
        whole: () => shared.whole(),
        copy: () => shared.snapshot(),
      }
    },
    programs: actions.map((action, i) => async (memory, step) => {
      const calls = { free: false, failures: true, power: false, temporaries: false }
      const workspace = createWorkspace({ fs: failingSteps(memory.fs, ROOT, step, calls), root: ROOT })
      const expected = action === 'create' ? { expectedDigest: null } : {}
      const work =
        action === 'remove' ? workspace.remove('a.txt') : workspace.writeFile('a.txt', contentOf(i), expected)
      return work.then(
        () => ({ answer: 'done' }),
        (error: unknown) => {
          if (!(error instanceof TrimtabError)) return { answer: String(error) }
          return { answer: error.code, isWritten: error.isWritten, leftover: error.leftover }
        },
      )
    }),
    check: async (memory, told) => {
      const texts = memory.texts()
      const found = texts.get(`${ROOT}/a.txt`)
      const named = told.map((one) => one?.leftover)
      const isLeft = [...texts.keys()].some((name) => name !== `${ROOT}/a.txt` && !named.includes(name))
      const faults = told.flatMap((one, i) =>
        faultOf(one as Told, { found, wanted: actions[i] === 'remove' ? undefined : contentOf(i), failures }),
      )
      return isLeft ? [...faults, 'a temporary file stays and is not named'] : faults
    },
  }
}

function faultOf(
  { answer, isWritten }: Told,
  { found, wanted, failures }: { found: string | undefined; wanted: string | undefined; failures: number },
): string[] {
  if (!['done', 'file_failed', 'conflict', 'not_found'].includes(answer)) return [`told ${answer}`]
  const isDone = found === wanted
  const told = answer === 'done' ? true : isWritten
  // One failing call can be followed by a question that tells what became of it.
  if (told === undefined) return failures > 1 ? [] : [`told ${answer}, and not whether it is written`]
  return told === isDone ? [] : [`told ${answer} with ${told}, and it is ${isDone}`]
}

const shown = (schedules: number) => Math.round(schedules).toLocaleString('en')

describe.each([1, 2])('%i file system calls fail', (failures) => {
  test.each<[string, Action[], boolean]>([
    ['creates a file', ['create'], true],
    ['creates a file without hard links', ['create'], false],
    ['replaces a file', ['replace'], true],
    ['removes a file', ['remove'], true],
    ['creates a file that another one creates too', ['create', 'create'], true],
  ])('a writer that %s is told what is true', async (name, actions, hasLinks) => {
    const { faults, schedules, points } = await explore(writers(actions, { failures, hasLinks }))
    console.log(`${name}: ${shown(schedules)} schedules, ${points} points`, faults)
    expect(faults).toEqual({})
  })
})
