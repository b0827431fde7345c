// A definition that the user's last message names is in the view, whatever the file, the limit and its counter.
import fc from 'fast-check'
import { type ConversationMessage, readFile } from 'trimtab/reading'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { shownLines } from './numbered.js'

interface Language {
  other(i: number): string
  /** The line that defines the name, and what stands above it. */
  head(name: string): string
  above: string
  inside(line: string): string
  end: string
}

const python: Language = {
  other: (i) =>
    `def handler_${i}(request):\n    value = request.find(${i})\n    if value is None:\n        raise KeyError(${i})\n    return value\n\n`,
  head: (name) => `def ${name}(user):`,
  above: '@cached(\n    seconds=60,\n)\n',
  inside: (line) => `    ${line}\n`,
  end: '',
}
const LANGUAGES: Record<string, Language> = {
  'a.py': python,
  'a.ts': {
    other: (i) =>
      `/** Handles ${i}. */\nexport function handler${i}(request: Request) {\n  return request\n}\n\n`,
    head: (name) => `export function ${name}(user: User) {`,
    above: '/** What is wanted. */\n',
    inside: (line) => `  ${line}\n`,
    end: '}\n',
  },
  'a.md': {
    other: (i) => `## Step ${i}\n\nSome words of it.\n\n`,
    head: (name) => `## ${name}`,
    above: '',
    inside: (line) => `\n${line}\n`,
    end: '',
  },
  'a.unknown': python,
}

const COUNTERS: Record<string, ((text: string) => number) | undefined> = {
  estimate: undefined,
  more: (text) => Math.ceil(text.length / 2),
  less: (text) => Math.ceil(text.length / 6),
  'as an encoding': (text) => text.match(/\d{1,3}|[A-Za-z]{1,5}|\s+|./gsu)?.length ?? 0,
}
const before = fc.constantFrom<ConversationMessage[]>(
  [],
  [
    { role: 'user', text: 'Every request has a value: which handler finds it, and which one returns None?' },
    { role: 'assistant', text: 'handler_3 and handler_4 raise a KeyError.' },
  ],
)
const after = fc.constantFrom<ConversationMessage[]>([], [{ role: 'assistant', text: 'I look at app.py.' }])
const question = fc.constantFrom(
  'How does NAME work?',
  'NAME',
  'Why does NAME() return a value for a request?',
)

const settings = fc.record({
  path: fc.constantFrom(...Object.keys(LANGUAGES)),
  name: fc.constantFrom('rotate_session_token', 'rotateToken', 'Server', 'db', 'v7'),
  others: fc.oneof(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 300, max: 1400 })),
  place: fc.integer({ min: 0, max: 100 }),
  isBelow: fc.boolean(),
  body: fc.integer({ min: 1, max: 120 }),
  line: fc.constantFrom('value = 1', 'NAME(user)', `value = ${'"long" + '.repeat(20)}""`),
  maxTokens: fc.oneof(fc.constantFrom(400, 500, 819, 1638, 3000), fc.integer({ min: 400, max: 4000 })),
  counter: fc.constantFrom(...Object.keys(COUNTERS)),
  conversation: fc.tuple(before, question, after),
})
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never

/** A file in which the definition is somewhere between others. */
function contentOf({ path, name, others, place, isBelow, body, line }: Settings): string {
  const { other, head, above, inside, end } = LANGUAGES[path] as Language
  const lines = inside(line.replace('NAME', name)).repeat(body)
  const blocks = Array.from({ length: others }, (_, i) => other(i))
  const wanted = `${isBelow ? above : ''}${head(name)}\n${lines}${end}\n`
  return blocks.toSpliced(Math.round((others * place) / 100), 0, wanted).join('')
}

test('a view shows the definition that the last message names, within its limit', async () => {
  await fc.assert(
    fc.asyncProperty(settings, async (setting) => {
      const { path, name, maxTokens, counter: counted } = setting
      const [earlier, text, later] = setting.conversation
      // Without an outline nothing is known to be a definition: other words may fit better.
      const first = path === 'a.unknown' ? [] : earlier
      const conversation = [...first, { role: 'user', text: text.replace('NAME', name) }, ...later]
      const counter = COUNTERS[counted]
      const content = contentOf(setting)
      const view = await readFile({ path, content, maxTokens, counter, conversation, mode: 'curated' })
      const count = counter ?? ((text: string) => Buffer.byteLength(text) / 3.5)
      expect(view.mode).toBe('curated')
      expect([...shownLines(view.text).values()]).toContain((LANGUAGES[path] as Language).head(name))
      expect(count(view.text)).toBeLessThanOrEqual(maxTokens)
    }),
    { numRuns: Math.ceil(runs.numRuns / 5) },
  )
})

test('a view that is cut says where it goes on, also if what is named stands behind', async () => {
  const setting = { path: 'a.py', name: 'rotateToken', others: 1000, place: 50, isBelow: true, body: 3 }
  const content = contentOf({ ...setting, line: 'value = 1' } as Settings)
  const conversation = [{ role: 'user', text: 'How does rotateToken work?' }]
  const { text } = await readFile({ path: 'a.py', content, conversation, maxTokens: 500 })
  const whole =
    /\| def rotateToken\(user\):\n(?:3\d+ \| {5}value = 1\n){3}\.\.\. 500 definitions, lines 3008-6008\n/
  expect(text).toMatch(whole)
  expect(text).toMatch(/\n 205 \| def handler_34\(request\):\n\.\.\. 465 definitions, lines 206-3000\n/)
  expect(text).toMatch(/\n\[Other lines from 211 on do not fit: read on with offset=211, limit=60\]\n/)
})

describe('a file that nothing in the conversation is about', () => {
  const content = Array.from({ length: 100 }, (_, i) => python.other(i)).join('')
  const read = (options: object) => readFile({ path: 'a.py', content, ...options })

  test.each([
    ['auto', 'zzz', 'nothing in the file seems related to the conversation'],
    ['curated', 'zzz', 'nothing in the file seems related to the conversation'],
    ['curated', 'And what do you make of it?', 'nothing in the file seems related to the conversation'],
    ['curated', '', 'there is no conversation'],
  ])('is shown by structure in mode %s, after %j', async (mode, text, message) => {
    const cache = new Map()
    const { fallback, ...view } = await read({ mode, cache, conversation: [{ role: 'user', text }] })
    const structure = await read({ mode: 'structure' })
    expect({ ...view, milliseconds: 0 }).toEqual({ ...structure, milliseconds: 0 })
    expect(fallback).toEqual({ reason: 'no_match', message })
    expect(cache.size).toBe(0)
  })

  test.each(['structure', 'auto', 'full'])(
    'has no fallback in mode %s without a conversation',
    async (mode) => {
      expect((await read({ mode })).fallback).toBeUndefined()
    },
  )

  test('has the fallback of the model that failed', async () => {
    const curator = () => ({ error: 'busy' })
    const { mode, fallback } = await read({
      curator,
      maxTokens: 1000,
      conversation: [{ role: 'user', text: 'zzz' }],
    })
    expect([mode, fallback?.reason]).toEqual(['structure', 'answered_error'])
  })
})
