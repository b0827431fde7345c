import { TrimtabError } from 'trimtab'
import { loadSession, type SessionStore, saveSession, unstorageStore } from 'trimtab/sessions'
import { assistant, user } from '../messages.js'
import type { Scenario, Step } from './schedules.js'

/**
 * Action of a writer on the session that it has loaded; `fresh` creates one, `edits` saves three edits one after
 * another.
 */
export type Action = 'append' | 'edit' | 'erase' | 'edits' | 'fresh' | 'load' | 'remove'

const SECRET = 'content of a file that must go '

const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
const START = [
  user('start'),
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: SECRET.repeat(10) },
]

const lost = (what: string) => () => {
  throw new Error(`${what} was lost`)
}

/** The used part of `unstorage`, over a map. A call can fail before its work or, if that changes something, after it. */
function storageOver(
  items: Map<string, string>,
  step: Step = async (_, call) => call(),
): Parameters<typeof unstorageStore>[0]['storage'] {
  const reading = <T>(call: () => T) => step(false, call, { before: lost('the connection') })
  const changing = (call: () => unknown) => {
    const work = () => void call()
    const late = () => {
      work()
      lost('the answer')()
    }
    return step<void>(false, work, { before: lost('the connection'), late })
  }
  return {
    getItem: (key) => reading(() => items.get(key) ?? null),
    getItems: (keys) => reading(() => keys.map((key) => ({ key, value: items.get(key) ?? null }))),
    setItem: (key, value) => changing(() => items.set(key, value)),
    getKeys: (base) => reading(() => [...items.keys()].filter((key) => key.startsWith(`${base}:`)).sort()),
    removeItem: (key) => changing(() => items.delete(key)),
  }
}

interface Told {
  answer: string
  concurrent?: boolean
  /** `isWritten` of each error `store_failed` before the answer; a writer tries again once. */
  failed: (boolean | undefined)[]
}

interface Options {
  kills?: number
  failures?: number
}

export function keyValueWriters(
  actions: readonly Action[],
  { kills = 0, failures = 0 }: Options = {},
): Scenario<Map<string, string>, Told[]> {
  const isFresh = actions.includes('fresh')
  let start: Promise<Map<string, string>> | undefined
  return {
    kills,
    failures,
    world: async () => {
      start ??= startWith(isFresh ? undefined : START)
      const shared = new Map(await start)
      const state = () => JSON.stringify([...shared].sort())
      return { shared, state, whole: state, copy: () => new Map(shared) }
    },
    programs: actions.map((action, i) => async (items, step) => {
      let isFree = true
      const storage = storageOver(items, (isPrivate, call, failures) =>
        isFree ? Promise.resolve(call()) : step(isPrivate, call, failures),
      )
      const store = unstorageStore({ storage })
      if (!isFresh && action !== 'load' && action !== 'remove') await loadSession(store, 's')
      isFree = false
      const told: Told[] = []
      for (let round = 0; round < (action === 'edits' ? 3 : 1); round++) {
        const history = changed(isFresh ? [] : START, action, i, round)
        const answer = await answerOf(store, action, history)
        told.push(answer)
        if (!SAVED.includes(answer.answer)) break
      }
      return told
    }),
    check: (items, told) => faultsOf(new Map(items), actions, told),
  }
}

const SAVED = ['append', 'checkpoint', 'nothing']

async function answerOf(store: SessionStore, action: Action, history: object[]): Promise<Told> {
  const failed: Told['failed'] = []
  for (;;) {
    try {
      if (action === 'remove') {
        await store.remove('s')
        return { answer: 'removed', failed }
      }
      if (action === 'load') {
        const loaded = await loadSession(store, 's')
        return {
          answer: loaded?.missing ? 'missing' : `${loaded?.session.history.length ?? 0} messages`,
          failed,
        }
      }
      const { written, concurrent } = await saveSession(store, 's', { history })
      return { answer: written, concurrent, failed }
    } catch (error) {
      if (!(error instanceof TrimtabError)) return { answer: String(error), failed }
      if (error.code !== 'store_failed') return { answer: error.code, failed }
      failed.push(error.isWritten)
      if (failed.length > 1) return { answer: error.code, failed }
    }
  }
}

async function startWith(history: object[] | undefined): Promise<Map<string, string>> {
  const items = new Map<string, string>()
  if (history !== undefined)
    await saveSession(unstorageStore({ storage: storageOver(items) }), 's', { history })
  return items
}

const turnOf = (i: number, round: number) => assistant(`turn ${round} of writer ${i}`)

function changed(history: readonly object[], action: Action, i: number, round: number): object[] {
  const turns = Array.from({ length: round + 1 }, (_, r) => turnOf(i, r))
  if (action === 'edit' || action === 'edits')
    return [user(`edited ${round} by ${i}`), ...history.slice(1), ...turns]
  if (action !== 'erase') return [...history, ...turns]
  return [...history.slice(0, 2), { ...history[2], metadata: { ephemeral: true } }, ...turns]
}

/**
 * Returns everything a load returns: the session, and those that could not be merged with it. Nothing may be missing,
 * except after it was removed while others wrote.
 */
async function allOf(store: SessionStore, mayMiss: boolean): Promise<string> {
  const loaded = await loadSession(store, 's')
  if (loaded?.missing !== undefined && !mayMiss) throw new Error(`missing: ${JSON.stringify(loaded.missing)}`)
  return JSON.stringify([loaded?.session.history, loaded?.unmerged.map(({ history }) => history)])
}

/** Returns the results that are wrong. */
async function faultsOf(
  items: Map<string, string>,
  actions: readonly Action[],
  told: readonly (Told[] | undefined)[],
): Promise<string[]> {
  const faults: string[] = []
  const isRemoved = actions.includes('remove')
  const found = await allOf(unstorageStore({ storage: storageOver(items) }), isRemoved).catch(
    (error: unknown) => {
      faults.push(String(error))
      return ''
    },
  )
  for (const [i, answers] of told.entries())
    for (const [round, answer] of (answers ?? []).entries()) {
      const isThere = found.includes(JSON.stringify(turnOf(i, round)))
      faults.push(...faultsOfOne(answer, { action: actions[i] as Action, isThere, isRemoved }))
    }
  const all = told.flatMap((answers) => answers ?? [])
  const isErased = actions[0] === 'erase' && actions.length === 1 && SAVED.includes(all[0]?.answer ?? '')
  if (isErased && [...items.values()].join().includes(SECRET))
    faults.push('told that it is erased and it is not')
  const saved = told.filter((answers) => SAVED.includes(answers?.[0]?.answer ?? '')).length
  const isTold = all.some(
    ({ answer, concurrent, failed }) => concurrent || answer === 'conflict' || failed.length > 0,
  )
  // All started from the same version: of two that are saved, at least one is told.
  if (saved > 1 && !isTold && !isRemoved) faults.push('two are saved and nobody is told')
  const isAnySaver = actions.some((action) => action !== 'load' && action !== 'remove')
  const isAnyFailed = isRemoved || told.includes(undefined) || all.some(({ failed }) => failed.length > 0)
  if (saved === 0 && isAnySaver && !isAnyFailed) faults.push('nobody saved')
  return [...faults, ...(await goingOn(items))]
}

function faultsOfOne(
  { answer, failed }: Told,
  { action, isThere, isRemoved }: { action: Action; isThere: boolean; isRemoved: boolean },
): string[] {
  // It is told, and stored nothing.
  if (failed.length > 0 && answer === 'store_failed' && (action === 'load' || action === 'remove')) return []
  if (action === 'remove') return answer === 'removed' ? [] : [`told ${answer}`]
  if (action === 'load') {
    const isWhole = /^[3-9] messages$/.test(answer) || (isRemoved && /^(?:missing|\d messages)$/.test(answer))
    return isWhole ? [] : [`loaded ${answer}`]
  }
  const isTold = SAVED.includes(answer) || failed.includes(true)
  if (isTold && !isThere && !isRemoved) return [`told ${answer} and not there`]
  if (isThere && !isTold && !failed.includes(undefined)) return [`told ${answer} and there`]
  return [...SAVED, 'conflict', 'store_failed'].includes(answer) ? [] : [`told ${answer}`]
}

/** Whatever was left behind, the next writer can continue. */
async function goingOn(items: Map<string, string>): Promise<string[]> {
  const load = async () => loadSession(unstorageStore({ storage }), 's')
  const storage = storageOver(items)
  const store = unstorageStore({ storage })
  const loaded = await loadSession(store, 's').catch(() => undefined)
  const history = [user('edited at the end'), ...(loaded?.session.history ?? []), assistant('next')]
  const next = await saveSession(store, 's', { history }).catch((error: unknown) => String(error))
  const last = await load().catch((error: unknown) => String(error))
  const isWhole = typeof last === 'object' && last.missing === undefined
  const isSame = isWhole && JSON.stringify(last.session.history) === JSON.stringify(history)
  return isSame ? [] : [`cannot go on: ${JSON.stringify(next)}`]
}
