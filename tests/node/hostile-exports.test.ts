// Calls every function of every entry point with hostile values in every argument: the result is a value or a
// TrimtabError, never an error of JavaScript itself.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TrimtabError } from 'trimtab'
import { formatReads } from 'trimtab/files'
import { createIndex } from 'trimtab/index'
import { combineSimulations, diagnose, diagnoseSession, tune } from 'trimtab/money'
import { calibrateSession } from 'trimtab/tokens'
import { createTools, toolResultMessages } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { at } from '../../scripts/lib/project.mjs'
import { type AnyFunction, history, inMessages, LISTS, rawError, Thrown, VALUES } from './hostile-values.js'

const entries = Object.entries(packageJson.exports as Record<string, { default?: string }>)
  .filter(([name, entry]) => !name.includes('*') && name !== './slim' && entry.default?.endsWith('.js'))
  .map(([name, entry]) => [name, pathToFileURL(join(at(), entry.default as string)).href] as const)

/** Functions left out, with the reason: they call what they are given, or need another environment. */
const NOT_HERE: Record<string, string> = {
  compose: 'it calls the passes that it is given, and what they throw is theirs',
  indexedDbStore: 'there is no IndexedDB in Node',
}

/** Functions that also call what they are given, and pass on what that throws. */
const PASSES_ON = ['simulate', 'tune']

const FIELDS = ['path', 'content', 'files', 'format', 'messages', 'usage', 'limits', 'conversation', 'prices']
const inOptions = (value: unknown): unknown[] =>
  FIELDS.map((field) => ({ path: 'a.ts', content: 'x', [field]: value }))

/** Arguments with a value in each place, beside arguments that are valid for some function. */
function* argumentsWith(make: () => unknown): Generator<unknown[]> {
  const makeAll = () => [make(), ...inMessages(make()), ...inOptions(make())]
  for (const place of makeAll().keys()) {
    const hostile = () => makeAll()[place]
    yield [hostile()]
    for (const right of [history, {}, 'a.ts', 'script']) yield [right, hostile()]
    for (const right of [{}, 'a.ts', 'gemini']) yield [hostile(), right]
    for (const right of [{}, 'a.ts']) yield [history, right, hostile()]
  }
}

/** Arguments with a list as one of them. */
function* argumentsOf(make: () => unknown): Generator<unknown[]> {
  for (const right of [undefined, {}, 'a.ts', 'gemini']) yield [make(), right]
  for (const right of [{}, 'a.ts']) yield [right, make()]
  yield [history, {}, make()]
}

describe.each(entries)('%s', async (_, file) => {
  const functions = Object.entries((await import(file)) as Record<string, unknown>).filter(
    ([name, value]) => typeof value === 'function' && name !== 'TrimtabError' && !(name in NOT_HERE),
  ) as [string, AnyFunction][]

  test.each(functions)('%s throws only TrimtabError for hostile arguments', async (name, run) => {
    const isClass = /^class\b/.test(Function.prototype.toString.call(run))
    const raw = new Set<string>()
    const kinds = [
      ...Object.entries(VALUES).map(([value, make]) => [value, argumentsWith(make)] as const),
      ...Object.entries(LISTS).map(([value, make]) => [value, argumentsOf(make)] as const),
    ]
    for (const [value, calls] of kinds) {
      for (const args of calls) {
        const error = await rawError(run, isClass, args)
        const isHosts = error instanceof Thrown && PASSES_ON.includes(name)
        if (error !== undefined && !isHosts)
          raw.add(`${value}: ${String((error as Error).stack).slice(0, 300)}`)
      }
    }
    expect([...raw]).toEqual([])
  })
})

const workspace = () => createWorkspace({ memory: { 'a.ts': 'const a = 1' } })

/** An empty list with a huge length. */
const holes = () => new Array(4_000_000_000) as never[]

test.each<[string, () => unknown]>([
  ['formatReads', () => formatReads({ files: holes() })],
  ['diagnose', () => diagnose(holes())],
  ['tune', () => tune(holes())],
  ['combineSimulations', () => combineSimulations(holes())],
  ['diagnoseSession', () => diagnoseSession({ messages: [], usage: holes() } as never)],
  ['calibrateSession', () => calibrateSession(history, holes())],
  ['FileIndex.add', () => createIndex().add({ path: 'a.ts', content: 'a', sections: holes() })],
  ['toolResultMessages', () => toolResultMessages(holes(), { format: 'anthropic' })],
])('%s refuses a huge sparse array at once', (_, run) => {
  const before = process.cpuUsage().user
  expect(run).toThrow(TrimtabError)
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000)
})

test('a tool refuses a huge sparse array at once', async () => {
  const [tool] = createTools(workspace())
  expect(await tool?.execute({ file_paths: holes(), path: holes() })).toMatchObject({ isError: true })
})
