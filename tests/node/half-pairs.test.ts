// Law 17: half of a surrogate pair, in any text that a host passes, is in no text that is made here, and fails no call
// with the words of a parser.
import { readMessages, TrimtabError } from 'trimtab'
import { compact, compactionPrompt } from 'trimtab/compaction'
import { formatRead, formatReads } from 'trimtab/files'
import { createIndex } from 'trimtab/index'
import { curatorPrompt, expand, parseCuration, readFile } from 'trimtab/reading'
import { changelog, compressEdits, fileEdits, fileStateAt } from 'trimtab/timeline'
import { createReadLinesTool, createReadTool } from 'trimtab/tools'
import { describe, expect, test } from 'vitest'
import { copied } from './hostile-access.js'
import { OF_FRAMEWORKS } from './hostile-adapter-calls.js'
import { EXPORT_CALLS } from './hostile-export-calls.js'
import { CALLS, type MethodCall } from './hostile-method-calls.js'

const HALF = '\ud83d'

type Place = readonly string[]

const isPlain = (value: unknown): value is Record<string, unknown> =>
  Array.isArray(value) || (value != null && Object.getPrototypeOf(value) === Object.prototype)

/** The places of the texts in a value. */
function* placesIn(value: unknown, place: Place = []): Generator<Place> {
  if (typeof value === 'string') yield place
  else if (isPlain(value))
    for (const [key, part] of Object.entries(value)) yield* placesIn(part, [...place, key])
}

/** A copy with another text at a place. */
function changed(value: unknown, [key, ...rest]: Place, change: (text: string) => string): unknown {
  if (key === undefined) return change(value as string)
  const copy = copied(value) as Record<string, unknown>
  copy[key] = changed(copy[key], rest, change)
  return copy
}

/** The texts in a value, of any class, with the names of its fields, that are no valid Unicode. */
function illFormedIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [value]
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return []
  seen.add(value)
  const isOfEntries = value instanceof Map || value instanceof Set
  const parts = isOfEntries ? [...value].flat() : [...Object.keys(value), ...Object.values(value)]
  return parts.flatMap((part) => illFormedIn(part, seen))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The same, and those in texts that are JSON, which a format may have as values, and the names of tools as `ai-sdk-ui` has
 * them.
 */
const given = (value: unknown): string[] => [
  ...illFormedIn(value).flatMap((text) => [text, `tool-${text}`, text.replace(/^tool-/, '')]),
  ...[...placesIn(value)].flatMap((place) => {
    const text = place.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value)
    return illFormedIn(parsed(text as string))
  }),
]

/** JSON with half of a pair, as an escape, in each of its texts. */
const escaped = (text: string): string =>
  isPlain(parsed(text))
    ? JSON.stringify(parsed(text), (_, part: unknown) => (typeof part === 'string' ? part + HALF : part))
    : text

const CHANGES = [(text: string) => text + HALF, (text: string) => HALF + text, escaped]

/** What of a call is wrong with these arguments: texts that are not the host's own, or the words of an error. */
async function wrongIn([run]: MethodCall, args: readonly unknown[]): Promise<string[]> {
  const own = new Set(given(args))
  try {
    const made: unknown = await run(...args)
    return illFormedIn(typeof made === 'function' ? await made([]) : made).filter((text) => !own.has(text))
  } catch (error) {
    if (!(error instanceof TrimtabError)) return [String(error)]
    const { message } = error
    return /hex escape|line \d+ column/.test(message) || !message.isWellFormed() ? [message] : []
  }
}

describe.each(Object.entries({ ...EXPORT_CALLS, ...CALLS }))('%s', (name, call) => {
  test.skipIf(OF_FRAMEWORKS.includes(name.replace(/,.*/, '')))('makes only valid Unicode', async () => {
    const [, ...valid] = call
    const wrong = new Set<string>()
    for (const place of placesIn(valid)) {
      for (const change of CHANGES) {
        const args = changed(valid, place, change) as unknown[]
        for (const text of await wrongIn(call, args))
          wrong.add(`${place.join('.')}: ${JSON.stringify(text).slice(0, 300)}`)
      }
    }
    expect([...wrong]).toEqual([])
  })
})

/** A history with an edit, whose arguments are JSON with escapes, and enough behind it to be compacted. */
function edited(args: string, result = 'Edited a.ts: replaced 1 chars with 1 chars'): object[] {
  const call = { id: 'a', type: 'function', function: { name: 'edit_file', arguments: args } }
  return [
    { role: 'user', content: 'Fix it' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: result },
    ...Array.from({ length: 30 }, (_, i) => [
      { role: 'user', content: `q${i}${' word'.repeat(50)}` },
      { role: 'assistant', content: `a${i}` },
    ]).flat(),
  ]
}

const EDIT = {
  path: 'a\ud83d.ts',
  old_string: 'x\ud83d',
  new_string: 'y\udc00',
  intent: 'Add the \ud83d icon 😀',
}

test('texts from the arguments of calls have U+FFFD for an escape of half a pair, and whole pairs', async () => {
  const history = edited(JSON.stringify(EDIT), 'Error: no \ud83d here')
  const { summary } = await compact(history, { threshold: 0, keepRecentMessages: 4 })
  const made = [summary ?? '', compressEdits(edited(JSON.stringify(EDIT))), compactionPrompt(history)]
  expect(made.filter((text) => !text.isWellFormed())).toEqual([])
  expect(changelog(edited(JSON.stringify(EDIT)))).toBe('- a\ufffd.ts: Add the \ufffd icon 😀')
  expect(compressEdits(edited(JSON.stringify(EDIT)), { path: 'a\ud83d.ts' })).toMatch(
    /^\[Edits to a\ufffd\.ts: /,
  )
  expect(fileEdits(edited(JSON.stringify(EDIT)))).toHaveLength(1)
})

test.each([
  [String.raw`{"a":"\ud83d"}`, { a: '\ufffd' }],
  [String.raw`{"a":"\uD83D\uDE00 \uDE00\uD83D"}`, { a: '😀 \ufffd\ufffd' }],
  [String.raw`{"a":"\ud83d\ud83d\ude00"}`, { a: '\ufffd😀' }],
  [String.raw`{"a":"\\ud83d \\\ud83d"}`, { a: '\\ud83d \\\ufffd' }],
  [String.raw`{"\ud83d":"\u00e9\n\"\/"}`, { '\ufffd': 'é\n"/' }],
])('argumentsOf reads %s as the engine does', (json, args) => {
  const history = readMessages(edited(json))
  const call = history.blocks().find(({ kind }) => kind === 'tool-call')
  expect(history.argumentsOf(call as NonNullable<typeof call>)).toEqual(args)
})

test('a write of half a pair leaves the file unknown: tools write U+FFFD, `?` or nothing', () => {
  const write = (content: string) =>
    edited(JSON.stringify({ path: 'a.ts', content }), 'Written: a.ts').map((message) =>
      JSON.parse(JSON.stringify(message).replace('edit_file', 'write_file')),
    ) as object[]
  const moment = { moment: { message: 3 } }
  expect(fileStateAt(write('one\n'), 'a.ts', moment)).toMatchObject({ certainty: 'exact', content: 'one\n' })
  expect(fileStateAt(write('\ud83d\n'), 'a.ts', moment).certainty).toBe('unknown')
})

describe('half of a pair in a file that is a string', () => {
  const file = { path: 'a\ud83d.py', content: 'def f():\n  x = "\ud83d"\n  return "😀"\n' }
  const notice = '[Bytes that are not valid UTF-8 are shown as U+FFFD]'

  test('is U+FFFD in every view, and noticed', async () => {
    const views = [await readFile(file), await expand({ ...file, section: 'f' }), formatRead(file)]
    for (const { malformed, text } of views) {
      expect(malformed).toBe(true)
      expect(text).toContain(notice)
      expect(text).toContain('x = "\ufffd"')
      expect(text).toContain('a\ufffd.py')
      expect(text.isWellFormed()).toBe(true)
    }
  })

  test('is not noticed in a part without it, and U+FFFD of the file itself is not', async () => {
    expect(formatRead({ ...file, limit: 1 }).malformed).toBe(false)
    const { content } = file
    const own = { ...file, content: content.toWellFormed() }
    for (const { malformed } of [await readFile(own), formatRead(own)]) expect(malformed).toBe(false)
  })

  test('keeps the columns and the lines, at any place in the pieces that are read', () => {
    for (const at of [0, 1, 87_379, 87_380, 87_381, 200_000]) {
      const content = `${'😀'.repeat(at)}\ud83d${'é'.repeat(5)}\udc00\nlast`
      const read = formatRead({ path: 'a', content, column: at + 1 })
      expect(read.text).toContain('\ufffdééééé\ufffd')
      expect([read.totalLines, read.malformed]).toEqual([2, true])
    }
  })

  test('is U+FFFD in a prompt for a curator, and in what it answers', () => {
    const conversation = [{ role: 'user\ud83d', text: 'why \ud83d?' }]
    expect(curatorPrompt({ ...file, conversation }).prompt).toMatch(
      /^CONVERSATION CONTEXT:\nUser\ufffd: why \ufffd\?/,
    )
    const answer = String.raw`{"line_ranges":[{"start":1,"end":2,"reason":"a \ud83d"}],"summary":"\ud83d"}`
    expect(parseCuration(answer, 9)).toMatchObject({ ranges: [{ reason: 'a \ufffd' }], summary: '\ufffd' })
  })

  test('is U+FFFD in an index', () => {
    const index = createIndex()
    index.add({ ...file, path: 'a.py' })
    expect(index.query('return x').every(({ text }) => text.isWellFormed())).toBe(true)
  })
})

describe('half of a pair in a path or in an error', () => {
  const source = {
    readFile: async (path: string) => {
      if (path === 'b') throw new Error('cannot decode "\ud83d"')
      return 'x\n'
    },
  }

  test('takes no other file of a read with it', async () => {
    const tool = createReadTool(source)
    expect((await tool.execute({ file_paths: ['a', 'b'] })).content).toBe(
      '=== a ===\n     1\tx\n\n=== b ===\nError: cannot decode "\ufffd"',
    )
    expect((await tool.execute(String.raw`{"file_paths":["a","c\ud83d"]}`)).content).toBe(
      '=== a ===\n     1\tx\n\n=== c\ufffd ===\n     1\tx',
    )
    const files = [
      { path: 'a\ud83d', content: 'x' },
      { path: 'b', error: '\ud83d' },
    ]
    expect(formatReads({ files, tool: 'read\ud83d' })).toMatchObject({
      content: '=== a\ufffd ===\n     1\tx\n\n=== b ===\nError: \ufffd',
    })
  })

  test('is U+FFFD in what read_lines and a tool with a reader answer', async () => {
    const lines = createReadLinesTool(source)
    expect((await lines.execute({ path: 'b', start: 1, end: 2 })).content).toBe(
      'Error: b: cannot decode "\ufffd"',
    )
    expect((await lines.execute({ path: 'c\ud83d', start: 1, end: 2 })).content).toContain('=== c\ufffd ===')
    const reader = { readFile, expand } as never
    const { content } = await createReadTool(source, { reader }).execute({
      file_paths: ['a', 'b', 'c\ud83d'],
    })
    expect(content).toContain('Error: cannot decode "\ufffd"')
    expect(content).toContain('File: c\ufffd (full)')
  })
})
