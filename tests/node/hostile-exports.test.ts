// Calls every function of every entry point with hostile values in every argument: the result is a value or a
// TrimtabError, never an error of JavaScript itself.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { Context, MessageThread, TrimtabError } from 'trimtab'
import { formatReads } from 'trimtab/files'
import { createIndex } from 'trimtab/index'
import { combineSimulations, diagnose, diagnoseSession, tune } from 'trimtab/money'
import { createResultTracker } from 'trimtab/recipes'
import { calibrateSession, TokenMeter } from 'trimtab/tokens'
import { createTools, runToolCall, toolResultMessages } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { at } from '../../scripts/lib/project.mjs'

// biome-ignore lint/suspicious/noExplicitAny: JavaScript callers can pass anything.
type Function = (...args: any[]) => any

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

class Thrown extends Error {}
const thrower = (): never => {
  throw new Thrown('the host')
}
const trapped = (target: object, ...traps: (keyof ProxyHandler<object>)[]) =>
  new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, thrower])))
const revoked = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}
const circle: Record<string, unknown> = { role: 'user' }
circle.content = [circle]
const detached = () => {
  const bytes = new Uint8Array([1, 2, 3])
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

/** Hostile values by name, made for each call. */
const VALUES: Record<string, () => unknown> = {
  getters: () => ({
    get role() {
      return thrower()
    },
    get content() {
      return thrower()
    },
  }),
  'a proxy that gives nothing': () => trapped({}, 'get'),
  'a proxy that does nothing': () => trapped({}, 'get', 'has', 'ownKeys', 'getPrototypeOf'),
  'a list that gives nothing': () => trapped([], 'get'),
  'a revoked object': () => revoked({}),
  'a revoked list': () => revoked([]),
  'a circle': () => circle,
  'a BigInt': () => 10n,
  'a symbol': () => Symbol('x'),
  bytes: () => new Uint8Array([1, 2, 255]),
  numbers: () => new Float64Array(3),
  'detached bytes': detached,
  'a toJSON that throws': () => ({ toJSON: thrower }),
  'a toString that throws': () => ({ toString: thrower, [Symbol.toPrimitive]: thrower }),
  'no prototype': () => Object.create(null),
  NaN: () => Number.NaN,
  'half of a pair': () => '\ud800',
  'a map': () => new Map([[{}, 1]]),
  'a list that is longer than it says': () =>
    Object.assign([{ role: 'user', content: 'x' }], { length: 1000 }),
  'bytes of another realm': () => runInNewContext('new Uint8Array([97, 10])'),
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(3)),
  'bytes that shrank': () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 8 })
    const bytes = new Uint8Array(buffer, 4)
    buffer.resize(2)
    return bytes
  },
  'a then that throws': () => Object.defineProperty({}, 'then', { get: thrower }),
}

class List<T> extends Array<T> {}
const frozen = <T extends object>(value: T): T => {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}

const call = { id: 'a', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }
const history = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'a line\n'.repeat(400) },
  { role: 'assistant', content: 'done' },
]
const [first, asked, result, last] = history
/** Lists of valid messages that are unlike other lists. */
const LISTS: Record<string, () => unknown> = {
  'a list of a subclass': () => List.from(history),
  'a list with a getter': () =>
    Object.defineProperty([...history], 1, { get: thrower, enumerable: true, configurable: true }),
  'a frozen list': () => frozen(structuredClone(history)),
  'messages without prototypes': () => history.map((message) => Object.assign(Object.create(null), message)),
  'a proxy of a list': () => new Proxy([...history], {}),
  'messages of another realm': () => runInNewContext(`(${JSON.stringify(history)})`),
}

/** Messages with a value in each place that may hold one. */
const inMessages = (value: unknown): unknown[] => [
  [value],
  [first, asked, result, { role: 'assistant', content: value }],
  [first, asked, { ...result, content: value }, last],
  [first, { role: 'assistant', content: null, tool_calls: value }, result],
  [first, { role: 'assistant', content: null, tool_calls: [{ ...call, function: value }] }, result],
]
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

/** What a call threw or rejected with, unless that is a TrimtabError. */
async function rawError(run: Function, isClass: boolean, args: unknown[]): Promise<unknown> {
  try {
    const made = isClass ? Reflect.construct(run, args) : run(...args)
    await (typeof made === 'function' ? made(history) : made)
    return undefined
  } catch (error) {
    return error instanceof TrimtabError ? undefined : error
  }
}

describe.each(entries)('%s', async (_, file) => {
  const functions = Object.entries((await import(file)) as Record<string, unknown>).filter(
    ([name, value]) => typeof value === 'function' && name !== 'TrimtabError' && !(name in NOT_HERE),
  ) as [string, Function][]

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

/** Methods of the objects that the functions return, each called with one argument. */
const METHODS: Record<string, (value: unknown) => unknown> = {
  'createWorkspace({ memory })': (memory) => createWorkspace({ memory } as never),
  'createWorkspace({ memory: { file } })': (file) => createWorkspace({ memory: { 'a.ts': file } } as never),
  'Workspace.readFile': (path) => workspace().readFile(path as never),
  'Workspace.writeFile': (content) => workspace().writeFile('a.ts', content as never),
  'Workspace.list': (path) => workspace().list(path as never),
  'Workspace.stat': (path) => workspace().stat(path as never),
  'Workspace.remove': (path) => workspace().remove(path as never),
  'Tool.execute': (args) => Promise.all(createTools(workspace()).map((tool) => tool.execute(args as never))),
  'Tool.execute with a list': (path) =>
    Promise.all(createTools(workspace()).map((tool) => tool.execute({ path, file_paths: path } as never))),
  'Tool.execute with options': (signal) =>
    createTools(workspace())[0]?.execute({ path: 'a.ts' }, (signal ?? {}) as never),
  'runToolCall of a call': (it) => runToolCall(createTools(workspace()), it as never),
  'runToolCall of arguments': (it) =>
    runToolCall(createTools(workspace()), { name: 'read_file', arguments: it as never }),
  'FileIndex.add': (file) => createIndex().add(file as never),
  'FileIndex.add of a path': (path) => createIndex().add({ path, content: 'a' } as never),
  'FileIndex.add of content': (content) => createIndex().add({ path: 'a.ts', content } as never),
  'FileIndex.add of sections': (sections) =>
    createIndex().add({ path: 'a.ts', content: 'a', sections } as never),
  'FileIndex.remove': (path) => createIndex().remove(path as never),
  'FileIndex.query': (text) => createIndex().query(text as never),
  'FileIndex.digest': (file) => createIndex().digest(file as never, 'a'),
  'ResultTracker.follow': (view) => createResultTracker().follow(view as never),
  'ResultTracker.track': (call) => createResultTracker().track(call as never, 'x'),
  'ResultTracker.track of a text': (text) =>
    createResultTracker().track({ id: 'a', name: 'bash', arguments: '{}' }, text as never),
  'ResultTracker.skip': (call) => createResultTracker().skip(call as never),
  'Context.calibrate': (usage) => new Context().calibrate(usage as never),
  'Context.recall': (reference) => new Context().recall(reference as never),
  'Context.onView': (listener) => new Context().onView(listener as never),
  'Context.fromJSON': (saved) => Context.fromJSON(saved as never),
  'TokenMeter.tokens': (view) => new TokenMeter().tokens(view as never),
  'TokenMeter.report': (usage) => new TokenMeter().report(history, usage as never),
  'MessageThread.answered': (answer) => new MessageThread(new Context()).answered(answer as never),
}
const workspace = () => createWorkspace({ memory: { 'a.ts': 'const a = 1' } })

test.each(Object.entries(METHODS))('%s throws only TrimtabError for a hostile argument', async (_, run) => {
  const raw: string[] = []
  for (const [value, make] of Object.entries({ ...VALUES, ...LISTS })) {
    const error = await rawError(run, false, [make()])
    if (error !== undefined) raw.push(`${value}: ${String((error as Error).stack).slice(0, 300)}`)
  }
  expect(raw).toEqual([])
})

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
