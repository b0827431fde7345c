// Calls every function and method with objects that fail, or give something else, at one access of all that the call
// makes: the result is a value or a TrimtabError, never an error of JavaScript itself, and no call hangs.
import { Context, project, TrimtabError } from 'trimtab'
import { loadSession, memoryStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { surface } from '../../scripts/lib/reference/surface.mjs'
import { accessesOf, copied, EFFECTS, Host } from './hostile-access.js'
import { OF_FRAMEWORKS } from './hostile-adapter-calls.js'
import { EXPORT_CALLS, NOT_CALLED } from './hostile-export-calls.js'
import { CALLS, type MethodCall } from './hostile-method-calls.js'
import { history, rawError, Thrown } from './hostile-values.js'

const nameOf = (name: string): string => name.replace(/,.*/, '')

test('every function that is exported is called here', () => {
  const exported = surface()
    .filter(({ name }) => !name.startsWith('trimtab/slim'))
    .flatMap(({ name: entry, exports }) =>
      exports
        .filter(({ kind }) => kind === 'function' || kind === 'class')
        .map(({ name }) => (name === 'trimtab' ? `${entry}.${name}` : name)),
    )
  const known = new Set([...Object.keys(EXPORT_CALLS).map(nameOf), ...Object.keys(NOT_CALLED)])
  expect(exported.length).toBeGreaterThan(100)
  expect(exported.filter((name) => !known.has(name))).toEqual([])
})

/** Functions that call what they are given, and pass on what that throws. */
const CALLING = [
  'cleanupEphemeralMessages',
  'Context.endTurn',
  'countMessages',
  'expand',
  'formatRead',
  'formatReads',
  'readFile',
  'readFileEvents',
  'readTranscript',
  'runToolCall',
  'simulate',
  'tune',
]

/** Raw errors of a call, at any access of its arguments. */
async function rawErrorsOf(title: string, [run, ...valid]: MethodCall): Promise<string[]> {
  const raw = new Map<string, string>()
  const calm = new Host()
  await run(...copied(valid).map((value) => calm.of(value)))
  for (const [name, effect] of Object.entries(EFFECTS)) {
    for (const at of accessesOf(calm.accesses)) {
      const host = new Host(at, effect)
      const args = copied(valid).map((value) => host.of(value))
      const error = await rawError(run, false, args)
      const isHosts = error instanceof Thrown && error.message === 'called' && CALLING.includes(nameOf(title))
      if (error === undefined || isHosts) continue
      const stack = error instanceof Error ? String(error.stack) : 'what has no stack'
      const places = stack.split('\n').filter((line) => line.includes('/js/dist/') || line.includes('/pkg/'))
      raw.set(
        places.slice(0, 3).join('\n'),
        `${name} at access ${at} of ${calm.accesses}: ${stack.slice(0, 900)}`,
      )
    }
  }
  return [...raw.values()]
}

const all = { ...EXPORT_CALLS, ...CALLS }

describe.each(Object.entries(all))('%s', (name, call) => {
  test.skipIf(OF_FRAMEWORKS.includes(nameOf(name)))('throws only TrimtabError', async () => {
    expect(await rawErrorsOf(name, call)).toEqual([])
  })
})

test('a Context and a store work after any failed call', async () => {
  const policy = { age: { maxToolOutputAge: 0 } }
  const long = [...history, { role: 'user', content: 'go on' }]
  const view = new Context(policy).project(long).messages
  const context = new Context(policy)
  const store = memoryStore()
  let version = 0
  for (const effect of Object.values(EFFECTS)) {
    for (let at = 1; at <= 60; at += 3) {
      const host = new Host(at, effect)
      await rawError(() => context.project(host.of(copied(long))), false, [])
      expect(context.project(long).messages).toEqual(view)
      const saved = { version: 1, history: long, turn: version++ } as const
      await rawError(() => saveSession(store, 'a', host.of(copied(saved))), false, [])
      await saveSession(store, 'a', saved)
      expect((await loadSession(store, 'a'))?.session).toEqual(saved)
    }
  }
})

test('an endless list in a policy is refused at once', () => {
  const tools = Object.assign([], { length: 4_000_000_000 })
  expect(() => project(history, { protect: { tools } })).toThrow(TrimtabError)
})
