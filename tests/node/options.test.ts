// Every function with options, found in the declarations, refuses unknown options and a format that is not
// the history's.

import * as root from 'trimtab'
import { describe, expect, test } from 'vitest'
import { surface } from '../../scripts/lib/reference/surface.mjs'
import { CALLS, type Run } from './option-calls.js'

/** Functions that do not check the object that they take, and why. */
const NOT_THEIRS: Record<string, string> = {
  'SessionStore.replace': 'a store of the host, which saveSession calls',
  'TrimtabMiddleware.onConfig': "TanStack AI's own configuration",
  'Tool.execute': 'agent frameworks pass options of their own',
  'SessionFileSystem.mkdir': "the host's file system",
  'RollingContextPreference.save': "the host's store",
  'FileIndex.constructor': 'createIndex, which is here, makes it',
  'FileSystem.mkdir': "the host's file system",
  'FileSystem.rm': "the host's file system",
  'ReadSource.readFile': "the host's source",
}

interface Declared {
  name: string
  kind: string
  declarations: string[]
}
const entries = surface() as { name: string; exports: Declared[] }[]

const PARAMETER = /[(,]\s*(?:options|settings|config|range)\??:/
/** `name(parameters)` of a declaration's methods and constructor. */
const METHOD = /(?:^|\n) {4}(?:static )?(\w+)(?:<[^>]*>)?(\([^\n]*\))/g

const takers = new Set(
  entries.flatMap(({ exports }) =>
    exports.flatMap(({ name, kind, declarations }) => {
      if (kind === 'function') return declarations.some((text) => PARAMETER.test(text)) ? [name] : []
      const methods = declarations.flatMap((text) => [...text.matchAll(METHOD)])
      return methods
        .filter(([, , parameters]) => PARAMETER.test(parameters as string))
        .map(([, method]) => `${name}.${method}`)
    }),
  ),
)

test('every declared function that takes options is tested here', () => {
  expect(takers.size).toBeGreaterThan(60)
  expect([...takers].filter((name) => !(name in CALLS || name in NOT_THEIRS))).toEqual([])
})

const settled = async (run: Run, options: unknown) => {
  try {
    await run(options)
    return undefined
  } catch (error) {
    return error
  }
}

/** Options of many functions, with the value that a getter returns first. */
const FIRST: Record<string, unknown> = {
  format: 'openai-chat',
  model: 'claude-opus-4-5',
  path: 'a.ts',
  counter: (text: string) => text.length,
  signal: new AbortController().signal,
  prefix: 'x',
  moment: 1,
  content: 'const a = 1',
}

/**
 * Functions that make messages of a format, that also read those of older formats, or that take no history.
 */
const ANY_FORMAT = [
  'toolResultMessage',
  'toolResultMessages',
  'processToolResult',
  'convertMessages',
  'writeTranscript',
  'shouldPreserveFileContent',
]

describe.each(Object.entries(CALLS))('%s', (name, [needed, run]) => {
  test('accepts its required options', async () => expect(await settled(run, needed)).toBeUndefined())

  test('refuses an unknown option', async () => {
    const error = await settled(run, { ...needed, unknownOption: 1 })
    expect(error).toBeInstanceOf(root.TrimtabError)
    expect((error as Error).message).toContain('unknownOption')
  })

  test.each([null, 7, 'text', [1]])('refuses %j as options', async (options) => {
    expect(await settled(run, options)).toBeInstanceOf(root.TrimtabError)
  })

  test.each(Object.entries(FIRST))(
    'reads the option %s once, or refuses its changed value',
    async (option, first) => {
      const changing = {
        ...needed,
        get [option]() {
          times += 1
          return times === 1 ? first : Symbol('changed')
        },
      }
      let times = 0
      const error = await settled(run, changing)
      if (error !== undefined) expect(error).toBeInstanceOf(root.TrimtabError)
    },
  )

  test('refuses an unknown format', async () => {
    expect(await settled(run, { ...needed, format: 'openai' })).toBeInstanceOf(root.TrimtabError)
  })

  test.skipIf(ANY_FORMAT.includes(name))('refuses a format that is not that of the history', async () => {
    expect(await settled(run, { ...needed, format: 'anthropic' })).toBeInstanceOf(root.TrimtabError)
  })
})
