// An option that is `undefined` is one that is left out, in the types of all entries and when called. With
// `exactOptionalPropertyTypes`, `{ model }` of a variable that may be `undefined` is refused otherwise.
import type * as root from 'trimtab'
import { simulate } from 'trimtab/money'
import { createFileReader } from 'trimtab/reading'
import { createRollingContextCommand } from 'trimtab/recipes'
import { loadSession, memoryStore, saveSession } from 'trimtab/sessions'
import { describe, expect, test } from 'vitest'
import { optionalArguments } from '../../scripts/lib/reference/options.mjs'
import { CALLS } from './option-calls.js'

interface Optional {
  entry: string
  call: string
  parameter: string
  path: string[]
  file: string
  mayBeUndefined: boolean
}
const optional = optionalArguments() as Optional[]

/** What is no option, by the file of its declaration, or by call and path. */
const NO_OPTIONS: readonly [pattern: RegExp, why: string][] = [
  [/^generated\//, 'policies and their parts are data with a schema'],
  [/ options\.(state\.sent|calibration\.cacheLife)$/, 'made by this package'],
  [/^(ReadDigests\.apply|ViewCache\.set|Context\.fromJSON saved|tuningPicture)/, 'made by this package'],
  [/ options\.reader\.facts$/, 'made by this package'],
  [/ options\.fs\.constants(\.O_NONBLOCK)?$/, "the host's file system"],
  [/^(SessionStore\.replace|ReadIndex\.add) /, 'a store or an index of the host, which this package calls'],
  [/^(AgentMiddlewareConfig|TrimtabMiddleware|TrimtabProcessor|MastraRecall)\./, 'a framework calls it'],
]
const isOption = ({ call, parameter, path, file }: Optional) =>
  ![file, `${call} ${parameter}.${path.join('.')}`].some((text) =>
    NO_OPTIONS.some(([pattern]) => pattern.test(text)),
  )

test('every option may be undefined', () => {
  const options = optional.filter(isOption)
  expect(options.length).toBeGreaterThan(500)
  const exact = options.filter(({ mayBeUndefined }) => !mayBeUndefined)
  expect(
    exact.map(({ entry, call, parameter, path }) => [entry, call, parameter, ...path].join(' ')),
  ).toEqual([])
})

/** Options that are objects, with what they need. */
const OBJECTS: Record<string, object> = {
  limits: { contextSize: 100_000 },
  prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheSeconds: 300 },
  threshold: { small: 5 },
}

/** What the functions return is asked something, if it is an object with methods. */
// biome-ignore lint/suspicious/noExplicitAny: results of any function
const USED: Record<string, (made: any) => unknown> = {
  createFileReader: (reader) => reader.readFile({ path: 'a.ts', content: 'const a = 1\n'.repeat(300) }),
  createReadTool: (tool) => tool.execute({ file_paths: ['a.ts'] }),
  createReadLinesTool: (tool) => tool.execute({ file_path: 'a.ts', start_line: 1 }),
  createTools: (tools) => Promise.all(tools.map((tool: { name: string }) => tool.name)),
  createWorkspace: (workspace) => workspace.writeFile('a.ts', 'x'),
  trimtab: (adapter) => adapter.view([]),
  'Workspace.walk': (walked) => walked.value,
}

/** Times differ from call to call, and functions are other ones. */
const comparable = (_: string, value: unknown) => (typeof value === 'function' ? '()' : value)
async function outcome(call: string, options: object): Promise<unknown> {
  try {
    const made = await (CALLS[call] as (typeof CALLS)[string])[1](options)
    const used = USED[call] === undefined ? made : await USED[call](made)
    return (JSON.stringify(used, comparable) ?? 'nothing').replace(/"(milliseconds|mtime)":[\d.]+/g, '')
  } catch (error) {
    return `${(error as root.TrimtabError).code}: ${(error as Error).message}`
  }
}

/** The options with one of them, given as a path, set or left out. */
function withOption([name, ...rest]: readonly string[], isSet: boolean, options: object): object {
  const key = name as string
  if (rest.length === 0) {
    const { [key]: _, ...others } = options as Record<string, unknown>
    return isSet ? { ...others, [key]: undefined } : others
  }
  const inner = (options as Record<string, object>)[key] ?? OBJECTS[key] ?? {}
  return { ...options, [key]: withOption(rest, isSet, inner) }
}

const isGivenAs = ({ call, parameter, path }: Optional): boolean => {
  const first = ((CALLS[call]?.[0] ?? {}) as Record<string, unknown>)[path[0] as string]
  const isInData = path.length > 1 && (typeof first === 'string' || Array.isArray(first))
  return /^(options|settings|config|range|asked)$/.test(parameter) && !path.includes('*') && !isInData
}

/** The adapters of frameworks have a function of the same name. */
const isAdapter = ({ entry, call, parameter }: Optional): boolean =>
  call === 'trimtab' && parameter === 'options' && entry !== 'trimtab/ai-sdk'

/** Paths by call. Entries of lists and maps are left to the types. */
const paths = new Map<string, Set<string>>()
for (const each of optional) {
  if (isAdapter(each) || !(each.call in CALLS) || !isOption(each) || !isGivenAs(each)) continue
  paths.set(each.call, (paths.get(each.call) ?? new Set()).add(each.path.join('.')))
}

test('most functions are compared', () => expect(paths.size).toBeGreaterThan(60))

describe.each([...paths])('%s', (call, options) => {
  const needed = CALLS[call]?.[0] as object
  test.each([...options])('%s may be undefined', async (name) => {
    const path = name.split('.')
    expect(await outcome(call, withOption(path, true, needed))).toBe(
      await outcome(call, withOption(path, false, needed)),
    )
  })
})

const adapters = [...new Set(optional.filter(isAdapter).map(({ entry }) => entry))]
test.each(adapters)('%s takes options that are all undefined', async (entry) => {
  const names = optional.filter((each) => isAdapter(each) && each.entry === entry).map(({ path }) => path[0])
  const { trimtab } = await import(entry)
  const made = (options: object): string => {
    try {
      return typeof trimtab({ clip: {} }, options)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(made(Object.fromEntries(names.map((name) => [name, undefined])))).toBe(made({}))
})

describe('a default stays where a field is undefined', () => {
  test('of a reader, for a call', async () => {
    const counter = () => 1e6
    const reader = createFileReader({ counter, threshold: { small: 1 }, maxTokens: 100 })
    const file = { path: 'a.ts', content: 'const a = 1\n'.repeat(9) }
    const left = await reader.readFile(file)
    const given = await reader.readFile({ ...file, counter: undefined, maxTokens: undefined } as typeof file)
    expect(given.text).toBe(left.text)
  })

  test('of a session that is saved', async () => {
    const session = { version: undefined, format: undefined, history: [{ role: 'user', content: 'hi' }] }
    const store = memoryStore()
    await saveSession(store, 'a', session)
    expect((await loadSession(store, 'a'))?.session).toEqual({ version: 1, history: session.history })
  })

  test('of a saved preference', async () => {
    const load = () => ({ enabled: true, maxToolOutputAge: undefined })
    const { settings } = await createRollingContextCommand({ load, save: () => undefined }).run('status')
    expect(settings.maxToolOutputAge).toBe(5)
  })

  test('of a policy that is compared', async () => {
    const policies = { a: {}, b: { binding: undefined } as object }
    const history = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'ho' },
    ]
    const { policies: compared } = await simulate(history, policies)
    const [a, b] = compared
    expect({ ...b, name: 'a' }).toEqual(a)
  })
})
