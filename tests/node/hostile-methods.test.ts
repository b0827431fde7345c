// Calls every method of every object that the package returns with hostile values in every place: the result is a
// value or a TrimtabError, never an error of JavaScript itself.
import { describe, expect, test } from 'vitest'
import { methods } from '../../scripts/lib/reference/methods.mjs'
import { OF_FRAMEWORKS } from './hostile-adapter-calls.js'
import { CALLS, type MethodCall, NO_ARGUMENTS } from './hostile-method-calls.js'
import { inMessages, LISTS, rawError, VALUES } from './hostile-values.js'

/** `Tool.execute` of `Tool.execute, with a list`. */
const methodOf = (name: string): string => name.replace(/,.*/, '')

test('every method that the declarations have is called here', () => {
  const declared: string[] = methods()
  const known = new Set([...Object.keys(CALLS).map(methodOf), ...Object.keys(NO_ARGUMENTS)])
  expect(declared.length).toBeGreaterThan(90)
  expect(declared.filter((name) => !known.has(name))).toEqual([])
  expect(OF_FRAMEWORKS.filter((name) => !known.has(name))).toEqual([])
  expect([...known].filter((name) => !declared.includes(name))).toEqual([])
})

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What may stand in place of a valid argument: the hostile value, or the argument with the value somewhere in it. */
function* inPlaceOf(valid: unknown, hostile: () => unknown): Generator<unknown> {
  yield hostile()
  if (Array.isArray(valid)) yield* inMessages(hostile())
  if (!isPlain(valid)) return
  for (const [key, part] of Object.entries(valid)) {
    yield { ...valid, [key]: hostile() }
    if (isPlain(part) || Array.isArray(part))
      for (const inner of inPlaceOf(part, hostile)) yield { ...valid, [key]: inner }
  }
}

function* argumentsWith([, ...valid]: MethodCall, hostile: () => unknown): Generator<unknown[]> {
  for (const place of valid.keys())
    for (const inPlace of inPlaceOf(valid[place], hostile)) yield valid.with(place, inPlace)
}

test.each(Object.entries(NO_ARGUMENTS))('%s needs no arguments', async (_, run) => {
  await run()
})

describe.each(Object.entries(CALLS))('%s', (name, method) => {
  const [run, ...valid] = method

  test('accepts valid arguments', async () => {
    await run(...valid)
  })

  test.skipIf(OF_FRAMEWORKS.includes(methodOf(name)))(
    'throws only TrimtabError for hostile arguments',
    async () => {
      const raw = new Set<string>()
      for (const [value, make] of Object.entries({ ...VALUES, ...LISTS })) {
        for (const args of argumentsWith(method, make)) {
          const error = await rawError(run, false, args)
          if (error !== undefined) raw.add(`${value}: ${String((error as Error).stack).slice(0, 300)}`)
        }
      }
      expect([...raw]).toEqual([])
    },
  )
})
