import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { formatRead } from 'trimtab/files'
import { conversationOf, createFileReader, expand, type ReadMode, readFile } from 'trimtab/reading'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { linesByNumber, numbersIn, shownLines } from './numbered.js'

/** 140 lines: a function every seven lines. */
const FUNCTIONS = Array.from(
  { length: 20 },
  (_, i) =>
    `def function_${i}(value):\n    """Number ${i}."""\n    first = value\n    second = ${i === 7 ? 'parse_token_limit(first)' : 'first'}\n    third = second\n    return third\n\n`,
).join('')
const ask = (text: string) => [{ role: 'user', text }]

const piece = fc.constantFrom(
  'def f(a):',
  '    return a',
  'class A:',
  '',
  '  | 12',
  '   3 | x',
  '...',
  'x\rx',
  'é\u2028漢',
  '\t}',
  'limit token',
  '"""',
)
const content = fc
  .tuple(
    fc.array(piece, { maxLength: 160 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.constantFrom('', '\n'),
    fc.constantFrom('', '\ufeff'),
  )
  .map(([lines, end, last, mark]) => mark + lines.join(end) + last)
const path = fc.constantFrom('a.py', 'a.ts', 'a.md', 'a', 'a.json')
const modes = fc.constantFrom<ReadMode>('auto', 'full', 'curated', 'structure')
const conversation = fc.constantFrom([], ask('Where is the token limit?'), ask('class A'))

describe('readFile', () => {
  test('shows lines of the file byte for byte at their numbers, in every mode', async () => {
    await fc.assert(
      fc.asyncProperty(path, content, modes, conversation, async (name, text, mode, said) => {
        const view = await readFile({ path: name, content: text, mode, conversation: said })
        const own = linesByNumber(text)
        expect(view.totalLines).toBe(formatRead({ path: 'x', content: text }).totalLines)
        const shown = shownLines(view.text)
        for (const [number, line] of shown) expect(line).toBe(own.get(number))
        expect([...shown.keys()]).toEqual(numbersIn(view.ranges))
        expect(view.preservedLines).toBe(shown.size)
        if (view.mode === 'full') expect(shown.size).toBe(own.size)
      }),
      runs,
    )
  })

  test('gives the same view of bytes as of their text', async () => {
    const bytes = new TextEncoder().encode(FUNCTIONS)
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(FUNCTIONS, 'utf16le')])
    const { text } = await readFile({ path: 'a.py', content: FUNCTIONS })
    expect((await readFile({ path: 'a.py', content: bytes })).text).toBe(text)
    expect((await readFile({ path: 'a.py', content: utf16 })).text).toBe(text)
  })

  test('has the headers of the document', async () => {
    const full = await readFile({ path: 'config.json', content: '{\n  "a": 1\n}\n' })
    expect(full.text).toBe(
      'File: config.json (full)\nTotal lines: 3 | Preserved: 3 (100.0%)\n\n   1 | {\n   2 |   "a": 1\n   3 | }',
    )
    const structure = await readFile({ path: 'app.py', content: FUNCTIONS })
    expect(structure.text.split('\n').slice(0, 6)).toEqual([
      'File: app.py (structure)',
      `Total lines: 140 | Preserved: ${structure.preservedLines} (${((structure.preservedLines / 140) * 100).toFixed(1)}%)`,
      '',
      '   1 | def function_0(value):',
      expect.stringMatching(/^ {3}2 \| |^\.\.\.$/),
      expect.anything(),
    ])
    const curated = await readFile({
      path: 'app.py',
      content: FUNCTIONS,
      conversation: ask('parse_token_limit'),
    })
    expect(curated.text).toContain('File: app.py (curated)\n')
    expect(curated.text).toMatch(
      /\n\*\*Curated view\*\* \(showing 1 relevant sections from 140 total lines\)\n/,
    )
    expect(curated.text).toMatch(/\nLines 50-55: function_7\n {2}50 \| def function_7\(value\):\n/)
    expect(curated.text).toMatch(/\n\n\*Preserved [\d.]+% of file based on conversation context\*$/)
  })

  test('shows an empty file in full', async () => {
    const view = await readFile({ path: 'a', content: '' })
    expect(view).toMatchObject({ mode: 'full', totalLines: 0, ranges: [], preservedPercentage: 100 })
  })

  test('clips a very long line and says how to read on', async () => {
    const view = await readFile({ path: 'a.txt', content: `x${'é'.repeat(4000)}\n` })
    const hint = 'read on with offset=1, limit=1, column=2001]'
    expect(view.text).toContain(`... [line of 4001 chars: ${hint}`)
    const rest = formatRead({
      path: 'a',
      content: `x${'é'.repeat(4000)}\n`,
      offset: 1,
      limit: 1,
      column: 2001,
    })
    expect(rest.text).toContain('é'.repeat(2000))
  })

  test('refuses a binary file', async () => {
    const content = Uint8Array.from([1, 0, 2])
    await expect(readFile({ path: 'a', content })).rejects.toMatchObject({ argument: 'content' })
  })
})

describe('readFile without a mode', () => {
  const lines = (count: number) => 'word\n'.repeat(count)
  test.each([
    [100, {}, [], 'full'],
    [101, {}, [], 'structure'],
    [101, {}, ask('word'), 'curated'],
    [51, { threshold: 'aggressive' as const }, [], 'structure'],
    [150, { threshold: 'conservative' as const }, [], 'full'],
    [150, { threshold: { small: 150 } }, ask('word'), 'full'],
    [200, { thresholds: { '*.json': { small: 200, large: 1000 } } }, [], 'full'],
    [1000, { thresholds: { '*.json': { small: 200, large: 1000 } } }, ask('word'), 'curated'],
    [1001, { thresholds: { '*.json': { small: 200, large: 1000 } } }, ask('word'), 'structure'],
    [150, { thresholds: { '*.zig': { small: 200 } } }, [], 'structure'],
  ])('chooses the expected mode for %i lines with %j and %j', async (count, options, conversation, mode) => {
    const view = await readFile({ path: 'src/a.json', content: lines(count), conversation, ...options })
    expect(view.mode).toBe(mode)
  })

  test.each([
    ['threshold', { threshold: 'brave' as 'balanced' }],
    ['threshold', { threshold: { small: 5, large: 1 } }],
    ['mode', { mode: 'some' as 'full' }],
    ['conversation', { conversation: ['x'] as never }],
    ['curater', { curater: 1 } as object],
    ['maxTokens', { maxTokens: -1 }],
    ['recentMessages', { recentMessages: 0 }],
    ['maxIterations', { curatorSettings: { maxIterations: 0 } }],
    ['timelimit', { curatorSettings: { timelimit: 5 } as object }],
    ['larg', { threshold: { small: 5, larg: 9 } as object as { small: number } }],
    ['larg', { thresholds: { '*.zig': { small: 5, larg: 9 } as object as { small: number } } }],
    ['thresholds["*.zig"]', { thresholds: { '*.zig': { small: 5, large: 1 } } }],
  ])('names the invalid option %s', async (argument, options) => {
    await expect(readFile({ path: 'a', content: '', ...options })).rejects.toMatchObject({ argument })
  })

  test.each([
    { threshold: { small: 5, large: 1 } },
    { thresholds: { '*.zig': { small: 5, large: 1 } } },
    { curatorSettings: { maxIterations: 0 } },
  ])('a reader with %j is refused when it is created', (options) => {
    expect(() => createFileReader(options)).toThrow(TrimtabError)
  })
})

describe('a shortened view', () => {
  const content = readFileSync(new URL('../node/outline.test.ts', import.meta.url), 'utf8')

  test.each([[[]], [ask('expect text content language lines name sections test')]])(
    'stays within its tokens, with %j',
    async (said) => {
      const view = await readFile({ path: 'a.ts', content, maxTokens: 300, conversation: said })
      expect(view.preservedLines).toBeGreaterThan(3)
      const shown = [...shownLines(view.text).values()].map((line) => `12345678${line}`)
      expect(new TextEncoder().encode(shown.join('')).length / 3.5).toBeLessThanOrEqual(300)
    },
  )

  test('shows the signature and docstring of every function', async () => {
    const { ranges } = await readFile({ path: 'a.py', content: FUNCTIONS })
    const signatures = Array.from({ length: 20 }, (_, i) => [1 + 7 * i, 2 + 7 * i]).flat()
    expect(numbersIn(ranges)).toEqual(signatures)
  })

  test.each([60, 150, 240, 300])('uses the lines of its target: %d functions', async (count) => {
    const code = (i: number) => `def step_${i}(value):\n    value = value + 1\n    return value\n\n`
    const content = Array.from({ length: count }, (_, i) => code(i)).join('')
    const { preservedLines, totalLines } = await readFile({ path: 'a.py', content, mode: 'structure' })
    const target = totalLines <= 500 ? totalLines * 0.4 : 30 + totalLines / 10
    expect(preservedLines).toBe(Math.min(count, target))
  })

  test.each([150, 158, 165, 170])('shows the start of a long line: %d functions in one', async (count) => {
    const content = 'function f(a){return a+1};'.repeat(count)
    expect((await readFile({ path: 'a.js', content, mode: 'structure' })).preservedLines).toBe(1)
  })

  test('does not parse lines that are too long to be shown', async () => {
    const content = 'var a=1;'.repeat(200_000)
    const { sections, text } = await readFile({ path: 'a.js', content, mode: 'structure' })
    expect(sections).toEqual([])
    expect(text).toContain('[line of 1600000 chars: read on with offset=1, limit=1, column=2001]')
    // A long line among many is parsed.
    const others = 'function f() {\n  return 1\n}\n'.repeat(500)
    const mixed = await readFile({
      path: 'a.js',
      content: `${others}const long = '${'x'.repeat(2e5)}'\n`,
      mode: 'structure',
    })
    expect(mixed.sections.length).toBeGreaterThan(400)
  })

  test.each([
    ['a.toml', (i: number) => `[package.metadata.table_${i}]\nkey = "a value of some length ${i}"\n`],
    ['a.css', (i: number) => `.a-class-of-number-${i} > .another { color: #${100000 + i}; margin: 0 }\n`],
    ['a.h', (i: number) => `typedef int type_of_number_${i};\nvoid function_${i}(type_of_number_${i} *);\n`],
  ])('takes at most half of a file over 4 KB: %s', async (path, entry) => {
    for (const count of [120, 200, 600]) {
      const content = Array.from({ length: count }, (_, i) => entry(i)).join('\n')
      const { mode, text, ranges } = await readFile({ path, content, mode: 'structure' })
      expect(mode).toBe('structure')
      expect(text.length).toBeLessThanOrEqual(content.length / 2)
      expect(text).toMatch(/\n\.\.\. \d+ definitions, lines \d+-\d+/)
      expect(ranges.length).toBeGreaterThan(0)
    }
  })

  test('counts definitions that share a line', async () => {
    const functions = Array.from({ length: 150 }, (_, i) => `f${i} = function f${i}(a) {\n  return a\n}`)
    const content = `var ${functions.join(', ')}\nfunction last() {\n  return 1\n}\n`
    const { text } = await expand({ path: 'a.js', content, section: 'last' })
    expect(text).toContain('... 150 definitions, lines 1-301\n')
  })

  test('drops docstrings before it drops later functions', async () => {
    const { ranges } = await readFile({ path: 'a.py', content: FUNCTIONS, maxTokens: 250 })
    expect(numbersIn(ranges)).toEqual(expect.arrayContaining(Array.from({ length: 20 }, (_, i) => 1 + 7 * i)))
  })
})

test('readFile shows sections that the conversation is about in full, and keeps the structure', async () => {
  const asked = await readFile({
    path: 'a.py',
    content: FUNCTIONS,
    conversation: ask('Why does parseTokenLimit fail?'),
  })
  expect(numbersIn(asked.ranges)).toEqual(expect.arrayContaining([50, 51, 52, 53, 54, 55]))
  const signatures = Array.from({ length: 20 }, (_, i) => 1 + 7 * i)
  expect(numbersIn(asked.ranges)).toEqual(expect.arrayContaining(signatures))
  expect(asked.preservedLines).toBeLessThanOrEqual(56)
})

test('a view has at most as many lines as the document shows, whatever its token limit', async () => {
  const conversation = ask('value first second third return number function')
  for (const [count, most] of [
    [20, 56],
    [43, 121],
    [100, 100],
    [172, 151],
  ] as const) {
    const content = Array.from({ length: count }, (_, i) =>
      FUNCTIONS.slice(0, 117).replace('_0', `_${i}`),
    ).join('')
    const view = await readFile({ path: 'a.py', content, conversation, maxTokens: 1_000_000 })
    expect(view.totalLines).toBe(7 * count)
    expect(view.preservedLines).toBeLessThanOrEqual(most)
    expect(view.preservedLines).toBeGreaterThan(most * 0.8)
  }
})

test.each([
  ['Where are errors?', 'error', true],
  ['What is handled here?', 'handling', true],
  ['Where is parseJSONText?', 'json', true],
  ['What does this file do?', 'what', false],
])('the question %s is about %s: %s', async (question, name, isMeant) => {
  const content = FUNCTIONS.replaceAll('function_12', name)
  const view = await readFile({ path: 'a.py', content, conversation: ask(question) })
  expect(view.ranges.some(({ reason }) => reason === name)).toBe(isMeant)
})

test('only the newest messages determine what a conversation is about', async () => {
  const content = FUNCTIONS.replace('function_3(', 'alpha(').replace('function_9(', 'omega(')
  const said = [...ask('alpha'), ...Array.from({ length: 5 }, () => ask('Go on')).flat(), ...ask('omega')]
  const reasons = async (options: object = {}) => {
    const view = await readFile({ path: 'a.py', content, conversation: said, ...options })
    return view.ranges.flatMap(({ reason }) => reason ?? [])
  }
  expect(await reasons()).toEqual(['omega'])
  expect(await reasons({ recentMessages: 7 })).toEqual(['alpha', 'omega'])
})

describe('expand', () => {
  test.each(['part-2', '#part-2', 'section#part-2', 'main.section#part-2', '<section id="part-2">'])(
    'finds an element of a page by %j',
    async (section) => {
      const parts = [1, 2, 3].map((part) => `<section id="part-${part}">\n<p>text\n</p>\n</section>\n`)
      const content = `<main>\n${parts.join('')}</main>\n`
      const { ranges } = await expand({ path: 'a.html', content, section })
      expect(ranges).toMatchObject([{ start: 6, end: 9 }])
    },
  )

  const CLASSES =
    'class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 2\n\nX = 1\n'

  const GO =
    'package a\n\ntype Reader struct {\n\ta int\n}\n\nfunc (r *Reader) Read() int {\n\treturn 1\n}\n\nfunc (Writer[T]) Read() {}\n'
  const DECORATED =
    '@dataclass\nclass B:\n    x: int\n\nclass A:\n    @property\n    def y(self):\n        return 1\n'
  const GENERIC = 'package a\n\nfunc (l *List[T]) Push(v T) {\n\tadd(v)\n}\n'
  const TITLES = String.raw`it('a \\d \'b\'', () => {
  one()
})
it('c', () => {})
`
  const TRAITS =
    'pub struct R;\nimpl Clone for R {\n    fn clone(&self) -> Self { R }\n}\nimpl<T: Copy> Buf<T> {\n    pub fn get(&self) -> T { self.0 }\n}\n'

  test.each([
    ['A.run', [[2, 3]]],
    [
      'run',
      [
        [2, 3],
        [6, 7],
      ],
    ],
    ['b', [[5, 7]]],
    [7, [[6, 7]]],
    [1, [[1, 3]]],
    [4, [[4, 4]]],
  ])('shows the section %j', async (section, ranges) => {
    const view = await expand({ path: 'a.py', content: CLASSES, section })
    expect(view.ranges.map(({ start, end }) => [start, end])).toEqual(ranges)
  })

  test.each([
    ['C', /there is no section "C"/],
    ['A.rum', /did you mean A\.run\?/],
    [0, /there is no line 0: the file has 9 lines/],
    [10, /there is no line 10/],
  ])('refuses the unknown section %j', async (section, message) => {
    const failure = expand({ path: 'a.py', content: CLASSES, section })
    await expect(failure).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(message),
    })
  })

  test('finds a section by its long heading', async () => {
    for (const words of [60, 400]) {
      const name = 'word '.repeat(words).trim()
      const content = `# A\n\ntext\n\n## ${name}\n\ntext\n`
      const { ranges } = await expand({ path: 'a.md', content, section: name })
      expect(ranges).toMatchObject([{ start: 5, end: 7 }])
    }
  })

  test('finds a line in a file of very many sections', async () => {
    const content = `${'# A\n'.repeat(200_000)}`
    const { ranges } = await expand({ path: 'a.md', content: `text\n${content}`, section: 1 })
    expect(ranges).toMatchObject([{ start: 1, end: 1 }])
  })

  test.each([
    ['a.md', '# A\n\n## B c\n\ntext\n', '## B c', [3, 5]],
    ['a.md', '# A\n\n## **B** `c`\n\ntext\n', '## **B** `c`', [3, 5]],
    ['a.md', '# A\n\n## B\n\ntext\n', 'A > B', [3, 5]],
    ['a.py', 'class A:\n    def run(self):\n        pass\n', 'class A', [1, 3]],
    ['a.py', 'class A:\n    def run(self):\n        pass\n', 'def run(self):', [2, 3]],
    ['a.py', 'class A:\n    def run(self):\n        pass\n', 'A.run()', [2, 3]],
    ['a.rs', 'impl A {\n    fn run() {}\n}\n', 'A::run', [2, 2]],
    ['a.rb', 'class A\n  def run\n  end\nend\n', 'A#run', [2, 3]],
    ['a.rb', 'module A::B\n  def run\n  end\nend\n', 'A::B', [1, 4]],
    ['a.rb', 'module A::B\n  def run\n  end\nend\n', 'B', [1, 4]],
    ['a.rb', 'module A::B\n  def run\n  end\nend\n', 'B#run', [2, 3]],
    ['a.cpp', 'namespace a::b {\nint c();\n}\n', 'b', [1, 3]],
    ['a.ts', 'export const a = 1,\n  b = 2\n', 'b', [2, 2]],
    ['a.go', GO, 'Reader.Read', [7, 9]],
    ['a.go', GO, 'Reader::Read', [7, 9]],
    ['a.go', GO, 'Reader#Read', [7, 9]],
    ['a.go', GO, '(*Reader).Read', [7, 9]],
    ['a.go', GO, 'Writer.Read', [11, 11]],
    ['a.py', DECORATED, 'class B:', [1, 3]],
    ['a.py', DECORATED, 'class B', [1, 3]],
    ['a.py', DECORATED, '@property', [6, 8]],
    ['a.py', DECORATED, 'def y(self):', [6, 8]],
    ['a.py', DECORATED, 'class A:', [5, 8]],
    [
      'A.java',
      'class A {\n  @Override\n  public void run() {\n    x();\n  }\n}\n',
      'public void run() {',
      [2, 5],
    ],
    ['A.cs', 'namespace N {\n  [Serializable]\n  public class A {\n  }\n}\n', 'public class A {', [2, 4]],
    ['a.ts', 'class K {\n  @dec()\n  m(): void {\n    c()\n  }\n}\n', 'm(): void {', [2, 5]],
    ['a.rs', TRAITS, 'R::clone', [3, 3]],
    ['a.rs', TRAITS, 'Clone for R.clone', [3, 3]],
    ['a.rs', TRAITS, 'Buf::get', [6, 6]],
    ['a.rs', TRAITS, 'Buf.get', [6, 6]],
    ['a.rs', TRAITS, 'Buf<T>::get', [6, 6]],
    ['a.go', GENERIC, 'List[T].Push', [3, 5]],
    ['a.go', GENERIC, '(*List[T]).Push', [3, 5]],
    ['a.go', GENERIC, 'List.Push', [3, 5]],
    ['a.ts', TITLES, String.raw`a \d 'b'`, [1, 3]],
    ['a.ts', TITLES, String.raw`a \\d \'b\'`, [1, 3]],
  ])('in %s with %j finds %j', async (path, content, section, [start, end]) => {
    const { ranges } = await expand({ path, content, section })
    expect(ranges).toMatchObject([{ start, end }])
  })

  test.each([
    [
      'a.py',
      'class E:\n    def create(self):\n        return 1\n\n\ndef create():\n    return 2\n',
      'create',
      [2, 3, 6, 7],
    ],
    ['a.cpp', 'class A {\n  int f();\n};\n\nint A::f() {\n  return 1;\n}\n', 'f', [2, 5, 6, 7]],
    ['a.cpp', 'class A {\n  int f();\n};\n\nint A::f() {\n  return 1;\n}\n', 'A.f', [2, 5, 6, 7]],
    ['a.java', 'class A {\n  A() {\n    x();\n  }\n}\n', 'A', [1, 2, 3, 4, 5]],
  ])('in %s with %j finds every section %j', async (path, content, section, lines) => {
    const { ranges } = await expand({ path, content, section })
    expect([...new Set(numbersIn(ranges))]).toEqual(lines)
  })

  test('finds every section name and every line of a view', async () => {
    const { sections, totalLines } = await readFile({ path: 'a.py', content: FUNCTIONS })
    for (const { name, startLine, endLine } of sections) {
      const { ranges } = await expand({ path: 'a.py', content: FUNCTIONS, section: name })
      expect(ranges).toEqual([{ start: startLine, end: endLine, reason: name }])
    }
    for (let line = 1; line <= totalLines; line++) {
      const { ranges } = await expand({ path: 'a.py', content: FUNCTIONS, section: line })
      expect(numbersIn(ranges)).toContain(line)
    }
  })
})

test('conversationOf returns the texts of user and assistant', () => {
  const history = [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'a result' },
    { role: 'assistant', content: 'Because.' },
  ]
  expect(conversationOf(history, { format: 'openai-chat' })).toEqual([
    { role: 'user', text: 'Why?' },
    { role: 'assistant', text: 'Because.' },
  ])
})

test('readFile counts definitions that it leaves out, also in broken code', async () => {
  const again = '\nexport function a0(a: number) {\n  return a\n}\n'
  const content = `    if (a) { \ndef a0(value):\n    first = value\n    return first\n${again}${again}`
  const { text, sections } = await readFile({ path: 'a.ts', content, mode: 'structure', maxTokens: 400 })
  const starts = sections.map(({ startLine }) => startLine)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  expect(text).toContain('... 1 definition, lines 1-5\n')
})

test('a limit that no line fits into leaves the header', async () => {
  for (const maxTokens of [0, 1, 30, 60]) {
    const { text } = await readFile({ path: 'a.py', content: FUNCTIONS, mode: 'structure', maxTokens })
    expect(text).toMatch(/^File: a\.py \(structure\)\n/)
    expect(text).not.toMatch(/undefined|NaN/)
  }
})
