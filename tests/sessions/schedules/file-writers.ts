import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, type SessionFileSystem, saveSession } from 'trimtab/sessions'
import { assistant, user } from '../messages.js'
import { MemoryFs } from './memory-fs.js'
import type { Scenario, Step } from './schedules.js'

/** Action of a writer on the session that it has loaded; `fresh` creates a session. */
export type Action = 'append' | 'edit' | 'erase' | 'fresh' | 'load' | 'load, append'

const SECRET = 'content of a file that must go '
const FOLDER = '/sessions'

const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
const START = [
  user('start'),
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: SECRET.repeat(10) },
]

/** Result of a writer: `append`, `checkpoint`, or an error code. */
export type Told = string

/** Writers of one session in a folder; each is a process that has loaded the session. */
export function fileWriters(
  actions: readonly Action[],
  { kills = 0, hasLinks = true }: { kills?: number; hasLinks?: boolean } = {},
): Scenario<MemoryFs, Told> {
  let start: Promise<MemoryFs> | undefined
  const isFresh = actions.includes('fresh')
  return {
    kills,
    world: async () => {
      start ??= startWith(isFresh ? undefined : START, hasLinks)
      const shared = (await start).copy()
      return { shared, state: () => shared.state() }
    },
    programs: actions.map((action, i) => async (memory, step) => {
      const stepped = { free: true }
      const store = fileStore({ fs: steppedFs(memory.fs, step, stepped), folder: FOLDER })
      const isLate = action.startsWith('load')
      if (!isLate && !isFresh) await loadSession(store, 's')
      stepped.free = false
      try {
        const history = isLate
          ? ((await loadSession(store, 's'))?.session.history ?? [])
          : isFresh
            ? []
            : START
        if (action === 'load') return `${history.length} messages`
        return (await saveSession(store, 's', { history: changed(history, action, i) })).written
      } catch (error) {
        return error instanceof TrimtabError ? error.code : String(error)
      }
    }),
    check: (memory, told) => faultsOf(memory, actions, told),
  }
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

/** Returns the results that are wrong. */
async function faultsOf(
  memory: MemoryFs,
  actions: readonly Action[],
  told: readonly (Told | undefined)[],
): Promise<string[]> {
  const faults: string[] = []
  const store = fileStore({ fs: memory.fs, folder: FOLDER })
  const load = async () => (await loadSession(store, 's'))?.session.history ?? []
  const found = JSON.stringify(await load().catch((error: unknown) => String(error)))
  for (const [i, answer] of told.entries()) {
    const isThere = found.includes(JSON.stringify(turnOf(i)))
    if (answer === undefined || actions[i] === 'load') continue
    if (answer === 'append' || answer === 'checkpoint') {
      if (!isThere) faults.push(`told ${answer} and not there`)
    } else if (answer !== 'conflict') faults.push(`told ${answer}`)
    else if (isThere) faults.push('told conflict and there')
    const isErased = actions[i] === 'erase' && answer === 'checkpoint'
    if (isErased && !told.includes(undefined) && [...memory.texts().values()].join().includes(SECRET))
      faults.push('told that it is erased and it is not')
  }
  for (const [i, answer] of told.entries())
    if (actions[i] === 'load' && answer !== undefined && !/^[34] messages$/.test(answer))
      faults.push(`loaded ${answer}`)
  const saves = told.filter((_, i) => actions[i] !== 'load')
  if (!saves.includes(undefined) && saves.every((answer) => answer === 'conflict'))
    faults.push('all were told conflict')
  // Whatever was left behind, the next writer can continue.
  const history = [...(await load().catch(() => [])), assistant('next')]
  const next = await saveSession(store, 's', { history }).catch((error: unknown) => String(error))
  const last = JSON.stringify(await load().catch((error: unknown) => String(error)))
  if (typeof next === 'string' || last !== JSON.stringify(history)) faults.push(`cannot go on: ${next}`)
  return faults
}

/** Wraps a file system so that each call is a step; calls that concern only their own program are private. */
function steppedFs(fs: SessionFileSystem, step: Step, state: { free: boolean }): SessionFileSystem {
  const wrap = <T extends object>(target: T, isPrivate: (method: string, args: unknown[]) => boolean): T =>
    new Proxy(target, {
      get(_, key) {
        const member = Reflect.get(target, key) as unknown
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          const isOwn = isPrivate(String(key), args)
          const work = async () => {
            const result: unknown = await member.apply(target, args)
            if (key !== 'open') return result
            const isFolder = args[0] === FOLDER
            const isNew = args[1] === 'wx'
            return wrap(
              result as object,
              (method, args) => isFolder || isNew || ALWAYS_OWN.has(method) || isHeader(method, args),
            )
          }
          return state.free ? work() : step(isOwn, work)
        }
      },
    })
  return wrap(fs, (method, args) => method === 'mkdir' || args[0] === FOLDER || args[1] === 'wx')
}

/** Methods of an open file that other programs do not notice while the machine runs. */
const ALWAYS_OWN = new Set(['sync', 'datasync', 'close', 'chmod'])

/** The first line of a file never changes. */
const isHeader = (method: string, [, , length, position]: unknown[]) =>
  method === 'read' && position === 0 && length === 53
