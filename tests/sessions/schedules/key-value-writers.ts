import { TrimtabError } from 'trimtab'
import { loadSession, type SessionStore, saveSession, unstorageStore } from 'trimtab/sessions'
import { assistant, user } from '../messages.js'
import type { Scenario, Step } from './schedules.js'

/**
 * Action of a writer on the session that it has loaded; `fresh` creates one, `edits` saves three edits one after
 * another.
 */
export type Action = 'append' | 'edit' | 'erase' | 'edits' | 'fresh' | 'load'

const SECRET = 'content of a file that must go '

const call = { id: 'c', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } }
const START = [
  user('start'),
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: SECRET.repeat(10) },
]

/** The used part of `unstorage`, over a map. */
const storageOver = (
  items: Map<string, string>,
  step: Step = async (_, call) => call(),
): Parameters<typeof unstorageStore>[0]['storage'] => ({
  getItem: (key) => step(false, () => items.get(key) ?? null),
  getItems: (keys) => step(false, () => keys.map((key) => ({ key, value: items.get(key) ?? null }))),
  setItem: (key, value) => step(false, () => void items.set(key, value)),
  getKeys: (base) => step(false, () => [...items.keys()].filter((key) => key.startsWith(`${base}:`)).sort()),
  removeItem: (key) => step(false, () => void items.delete(key)),
})

interface Told {
  answer: string
  concurrent?: boolean
}

export function keyValueWriters(actions: readonly Action[]): Scenario<Map<string, string>, Told[]> {
  const isFresh = actions.includes('fresh')
  let start: Promise<Map<string, string>> | undefined
  return {
    world: async () => {
      start ??= startWith(isFresh ? undefined : START)
      const shared = new Map(await start)
      return { shared, state: () => JSON.stringify([...shared].sort()) }
    },
    programs: actions.map((action, i) => async (items, step) => {
      let isFree = true
      const storage = storageOver(items, (isPrivate, call) =>
        isFree ? Promise.resolve(call()) : step(isPrivate, call),
      )
      const store = unstorageStore({ storage })
      if (!isFresh && action !== 'load') await loadSession(store, 's')
      isFree = false
      const told: Told[] = []
      try {
        if (action === 'load') {
          const loaded = await loadSession(store, 's')
          return [{ answer: `${loaded?.session.history.length} messages` }]
        }
        for (let round = 0; round < (action === 'edits' ? 3 : 1); round++) {
          const history = changed(isFresh ? [] : START, action, i, round)
          const { written, concurrent } = await saveSession(store, 's', { history })
          told.push({ answer: written, concurrent })
        }
      } catch (error) {
        told.push({ answer: error instanceof TrimtabError ? error.code : String(error) })
      }
      return told
    }),
    check: (items, told) => faultsOf(items, actions, told as Told[][]),
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
 * Returns everything a load returns: the session, and those that could not be merged with it. Nothing may be missing.
 */
async function allOf(store: SessionStore): Promise<string> {
  const loaded = await loadSession(store, 's')
  if (loaded?.missing !== undefined) throw new Error(`missing: ${JSON.stringify(loaded.missing)}`)
  return JSON.stringify([loaded?.session.history, loaded?.unmerged.map(({ history }) => history)])
}

/** Returns the results that are wrong. */
async function faultsOf(
  items: Map<string, string>,
  actions: readonly Action[],
  told: readonly Told[][],
): Promise<string[]> {
  const faults: string[] = []
  const store = unstorageStore({ storage: storageOver(items) })
  const found = await allOf(store).catch((error: unknown) => {
    faults.push(String(error))
    return ''
  })
  let isConcurrent = false
  let saved = 0
  for (const [i, answers] of told.entries())
    for (const [round, { answer, concurrent }] of answers.entries()) {
      if (actions[i] === 'load') {
        if (!/^[3-9] messages$/.test(answer)) faults.push(`loaded ${answer}`)
        continue
      }
      const isThere = found.includes(JSON.stringify(turnOf(i, round)))
      if (answer === 'append' || answer === 'checkpoint') {
        if (!isThere) faults.push(`told ${answer} and not there`)
        if (round === 0) saved++
        isConcurrent ||= concurrent === true
        const isErased = actions[i] === 'erase' && !concurrent
        if (isErased && [...items.values()].join().includes(SECRET) && told.length === 1)
          faults.push('told that it is erased and it is not')
      } else if (answer !== 'conflict') faults.push(`told ${answer}`)
      else if (isThere) faults.push('told conflict and there')
    }
  // All started from the same version: of two that are saved, at least one is told.
  if (saved > 1 && !isConcurrent && !told.flat().some(({ answer }) => answer === 'conflict'))
    faults.push('two are saved and nobody is told')
  if (saved === 0 && actions.some((action) => action !== 'load')) faults.push('nobody saved')
  return faults
}
