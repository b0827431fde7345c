import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, type SessionStore, saveSession } from 'trimtab/sessions'
import { assistant, user } from '../messages.js'
import { failingSteps } from './failing-steps.js'
import { MemoryFs } from './memory-fs.js'
import type { Scenario } from './schedules.js'

/** Action of a writer on the session that it has loaded; `fresh` creates a session. */
export type Action = 'append' | 'edit' | 'erase' | 'fresh' | 'load' | 'load, append' | 'remove'

const SECRET = 'content of a file that must go '
const FOLDER = '/sessions'

const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
const START = [
  user('start'),
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: SECRET.repeat(10) },
]

/** What a writer was told. */
export interface Told {
  /** `append`, `checkpoint`, `nothing`, `removed`, a number of messages, or an error code. */
  answer: string
  /** `isWritten` of each error `store_failed`; a writer tries again once. */
  failed: (boolean | undefined)[]
  /** Temporary files that the errors name. */
  leftovers: string[]
}

interface Options {
  kills?: number
  failures?: number
  hasLinks?: boolean
  /** Whether the power may fail at the end. */
  power?: boolean
  /** How often a writer tries. */
  tries?: number
  /** Whether temporary files are made at any moment, or as early as possible: that is when others see and remove them. */
  temporaries?: boolean
}

/** Writers of one session in a folder; each is a process that has loaded the session. */
export function fileWriters(
  actions: readonly Action[],
  { kills = 0, failures = 0, hasLinks = true, power = false, tries = 2, temporaries = true }: Options = {},
): Scenario<MemoryFs, Told> {
  let start: Promise<MemoryFs> | undefined
  const isFresh = actions.includes('fresh')
  return {
    kills,
    failures,
    world: async () => {
      start ??= startWith(isFresh ? undefined : START, hasLinks)
      const shared = (await start).copy()
      return {
        shared,
        state: () => shared.state() + (power ? shared.stateOnDisk() : ''),
        whole: () => shared.whole(),
        copy: () => shared.snapshot(),
      }
    },
    programs: actions.map((action, i) => async (memory, step) => {
      const stepped = { free: true, failures: failures > 0, power, temporaries }
      const store = fileStore({ fs: failingSteps(memory.fs, FOLDER, step, stepped), folder: FOLDER })
      const isLate = action.startsWith('load') || action === 'remove'
      if (!isLate && !isFresh) await loadSession(store, 's')
      stepped.free = false
      const told: Told = { answer: '', failed: [], leftovers: [] }
      for (let attempt = 0; attempt < tries; attempt++) {
        try {
          return { ...told, answer: await answerOf(store, action, i) }
        } catch (error) {
          told.answer = error instanceof TrimtabError ? error.code : String(error)
          if (!(error instanceof TrimtabError)) return told
          if (error.leftover !== undefined) told.leftovers.push(error.leftover)
          if (error.code !== 'store_failed') return told
          told.failed.push(error.isWritten)
        }
      }
      return told
    }),
    check: async (end, told) => {
      const memory = end.snapshot()
      const left = power ? [false, true].map((keepsNames) => memory.afterPowerFailure(keepsNames)) : []
      const faults = await faultsOf(memory, actions, told)
      if (failures === 1 && kills === 0) faults.push(...unsaidOf(actions, told))
      for (const disk of left) faults.push(...(await lostOf(disk, actions, told)))
      return faults
    },
  }
}

async function answerOf(store: SessionStore, action: Action, i: number): Promise<string> {
  if (action === 'remove') {
    await store.remove('s')
    return 'removed'
  }
  const loaded = async () => (await loadSession(store, 's'))?.session.history ?? []
  if (action === 'load') return `${(await loaded()).length} messages`
  const history = action === 'load, append' ? await loaded() : action === 'fresh' ? [] : START
  return (await saveSession(store, 's', { history: changed(history, action, i) })).written
}

async function startWith(history: object[] | undefined, hasLinks: boolean): Promise<MemoryFs> {
  const memory = new MemoryFs({ hasLinks })
  await memory.fs.mkdir(FOLDER)
  if (history !== undefined) await saveSession(fileStore({ fs: memory.fs, folder: FOLDER }), 's', { history })
  return memory
}

const turnOf = (i: number) => assistant(`turn of writer ${i}`)

function changed(history: readonly object[], action: Action, i: number): object[] {
  const turn = turnOf(i)
  if (action === 'edit') return [user(`edited by ${i}`), ...history.slice(1), turn]
  if (action !== 'erase') return [...history, turn]
  return [...history.slice(0, 2), { ...history[2], metadata: { ephemeral: true } }, turn]
}

const SAVED = ['append', 'checkpoint', 'nothing']
const SAVES = ['append', 'edit', 'erase', 'fresh', 'load, append']

const open = (memory: MemoryFs) => fileStore({ fs: memory.fs, folder: FOLDER })
const load = async (memory: MemoryFs) => (await loadSession(open(memory), 's'))?.session.history ?? []

/** Returns the results that are wrong. */
async function faultsOf(
  memory: MemoryFs,
  actions: readonly Action[],
  told: readonly (Told | undefined)[],
): Promise<string[]> {
  const faults: string[] = []
  const found = JSON.stringify(await load(memory).catch((error: unknown) => String(error)))
  for (const [i, result] of told.entries())
    if (result !== undefined)
      faults.push(...faultsOfOne(actions, { i, result, isThere: found.includes(JSON.stringify(turnOf(i))) }))
  if (isErased(actions, told) && hasSecret(memory, told)) faults.push('told that it is erased and it is not')
  const saves = told.filter((_, i) => SAVES.includes(actions[i] ?? ''))
  const isAnyKilled = saves.includes(undefined)
  const isAlone = saves.length === 0 || isAnyKilled || actions.includes('remove')
  if (!isAlone && saves.every((result) => result?.answer === 'conflict'))
    faults.push('all were told conflict')
  faults.push(...(await goingOn(memory)))
  return faults
}

function faultsOfOne(
  actions: readonly Action[],
  { i, result, isThere }: { i: number; result: Told; isThere: boolean },
): string[] {
  const { answer, failed } = result
  const isRemoved = actions.includes('remove')
  // It is told, and stored nothing.
  if (failed.length > 0 && answer === 'store_failed' && !SAVES.includes(actions[i] ?? '')) return []
  if (actions[i] === 'remove') return answer === 'removed' ? [] : [`told ${answer}`]
  if (actions[i] === 'load') {
    const isWhole = /^[34] messages$/.test(answer) || (isRemoved && answer === '0 messages')
    return isWhole ? [] : [`loaded ${answer}`]
  }
  const isTold = SAVED.includes(answer) || failed.includes(true)
  if (isTold && !isThere && !isRemoved) return [`told ${answer} and not there`]
  const mayBeThere = isTold || failed.includes(undefined)
  if (isThere && !mayBeThere) return [`told ${answer} and there`]
  return [...SAVED, 'conflict', 'store_failed'].includes(answer) ? [] : [`told ${answer}`]
}

/** After a single failing call, a second question tells whether the session is saved. */
function unsaidOf(actions: readonly Action[], told: readonly (Told | undefined)[]): string[] {
  const isUnsaid = ({ failed }: Told, i: number) =>
    ['append', 'edit', 'erase', 'fresh'].includes(actions[i] ?? '') && failed.includes(undefined)
  return told.some((result, i) => result !== undefined && isUnsaid(result, i))
    ? ['told neither that it is saved nor that it is not']
    : []
}

/** Whether a writer was told that the ephemeral content is erased, and no writer was killed. */
const isErased = (actions: readonly Action[], told: readonly (Told | undefined)[]): boolean =>
  !told.includes(undefined) &&
  told.some((result, i) => actions[i] === 'erase' && SAVED.includes(result?.answer ?? ''))

function hasSecret(memory: MemoryFs, told: readonly (Told | undefined)[]): boolean {
  const named = told.flatMap((result) => result?.leftovers ?? [])
  return [...memory.texts()].some(([name, text]) => text.includes(SECRET) && !named.includes(name))
}

/** Whatever was left behind, the next writer can continue. */
async function goingOn(memory: MemoryFs): Promise<string[]> {
  const history = [...(await load(memory).catch(() => [])), assistant('next')]
  const next = await saveSession(open(memory), 's', { history }).catch((error: unknown) => String(error))
  const last = JSON.stringify(await load(memory).catch((error: unknown) => String(error)))
  return typeof next === 'string' || last !== JSON.stringify(history) ? [`cannot go on: ${next}`] : []
}

/** Returns what is wrong after a power failure. */
async function lostOf(
  disk: MemoryFs,
  actions: readonly Action[],
  told: readonly (Told | undefined)[],
): Promise<string[]> {
  const faults: string[] = []
  const history = await load(disk).catch((error: unknown) => String(error))
  const found = JSON.stringify(history)
  const isRemoved = actions.includes('remove')
  if (typeof history === 'string') faults.push(`after a power failure: ${history}`)
  else if (history.length < 3 && !isRemoved && !actions.includes('fresh'))
    faults.push('the session is lost in a power failure')
  for (const [i, result] of told.entries()) {
    const isSaved = SAVED.includes(result?.answer ?? '')
    if (isSaved && !isRemoved && !found.includes(JSON.stringify(turnOf(i))))
      faults.push(`told ${result?.answer} and lost in a power failure`)
  }
  const isAlone = told.length === 1 && told[0]?.answer === 'removed'
  if (isAlone && found !== '[]') faults.push('told removed and back after a power failure')
  if (isErased(actions, told) && hasSecret(disk, told)) faults.push('erased and back after a power failure')
  return [...faults, ...(await goingOn(disk))]
}
