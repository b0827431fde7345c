import fc from 'fast-check'
import { createIndex } from 'trimtab/index'
import {
  CURATOR_SYSTEM_PROMPT,
  type Curator,
  type CuratorRequest,
  curatorPrompt,
  type FileView,
  parseCuration,
  type ReadEvent,
  readFile,
  readFileEvents,
  UNIFIED_READ_FILE_DESCRIPTION,
} from 'trimtab/reading'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '../node/random.js'
import { linesByNumber, numbersIn, shownLines } from './numbered.js'

const answer = (...ranges: object[]) =>
  JSON.stringify({ line_ranges: ranges, summary: 'The limits.', preserved_percentage: 99 })
const GOOD = answer({ start: 1, end: 20, reason: 'Imports' }, { start: 45, end: 78, reason: 'Errors' })
/** A good answer after some milliseconds. */
const goodAfter = (milliseconds: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve(GOOD), milliseconds))
const CHOSEN = [
  { start: 1, end: 20, reason: 'Imports' },
  { start: 45, end: 78, reason: 'Errors' },
]

describe('parseCuration', () => {
  test.each([
    ['alone', GOOD],
    ['fenced', `\`\`\`json\n${GOOD}\n\`\`\``],
    ['with text around it', `Here {is} the answer:\n${GOOD}\nHope that helps {"a": 1}!`],
    ['after its thinking', `<think>{"line_ranges": []}</think>${GOOD}`],
    ['with numbers as text', GOOD.replaceAll(/: ?(\d+)/g, ':"$1"')],
    [
      'with invalid ranges',
      answer({ start: 'x', end: 3 }, ...CHOSEN, null as never, 7 as never, [] as never),
    ],
    [
      'with ranges out of bounds',
      answer(
        { start: 0, end: 3 },
        { start: 90, end: 101 },
        { start: 9, end: 8 },
        { start: 1.5, end: 3 },
        ...CHOSEN,
      ),
    ],
    [
      'with unordered, overlapping ranges',
      answer({ start: 60, end: 78, reason: 'Errors' }, CHOSEN[0] as object, {
        start: 45,
        end: 61,
        reason: 'Errors',
      }),
    ],
    [
      'with quotes and braces in a reason',
      JSON.stringify({
        line_ranges: [...CHOSEN, { start: 78, end: 78, reason: 'Errors' }],
        summary: 'a "}" b',
      }),
    ],
    ['with a wrong summary', JSON.stringify({ line_ranges: CHOSEN, summary: 7 })],
  ])('reads an answer %s', (_, text) => {
    expect(parseCuration(text, 100)).toMatchObject({
      ranges: CHOSEN,
      preservedLines: 54,
      preservedPercentage: 54,
    })
  })

  test('keeps single lines, merges adjacent ranges and counts skipped ones', () => {
    const text = answer(
      { start: 5, end: 5, reason: 'a' },
      { start: 6, end: 7, reason: 'b' },
      { start: 0, end: 1 },
    )
    expect(parseCuration(text, 10)).toEqual({
      ranges: [{ start: 5, end: 7, reason: 'a; b' }],
      summary: 'The limits.',
      preservedLines: 3,
      preservedPercentage: 30,
      skipped: 1,
    })
  })

  test.each([
    '',
    'no',
    '[]',
    '{}',
    'null',
    '{"line_ranges": 5}',
    answer(),
    answer({ start: 1, end: 11 }),
    GOOD.slice(0, -5),
  ])('finds no ranges in %j', (text) => expect(parseCuration(text, 10)).toBeUndefined())

  test('accepts any text and returns only ranges within the file', () => {
    const value = fc.oneof(fc.integer({ min: -2, max: 30 }), fc.string(), fc.constant(null), fc.double())
    const range = fc.record({ start: value, end: value, reason: value }, { requiredKeys: [] })
    const noise = fc.constantFrom('', '```json\n', '{', '}', '"', '\\', '{"a":"}"}', 'text\n')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          noise,
          fc.array(range).map((ranges) => answer(...ranges)),
          noise,
        )
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, fc.nat(30), (answered, total) => {
        const ranges = parseCuration(answered, total)?.ranges ?? []
        let last = -1
        for (const { start, end } of ranges) {
          expect(last + 1 < start && start >= 1 && start <= end && end <= total).toBe(true)
          last = end
        }
      }),
      runs,
    )
  })
})

const CONTENT = Array.from({ length: 300 }, (_, i) => `value_${i + 1} = ${i + 1}\n`).join('')
const conversation = [{ role: 'user', text: 'How are errors handled?' }]
const read = (curator: Curator, options: object = {}) =>
  readFile({ path: 'a.py', content: CONTENT, conversation, curator, ...options })

test('the curator prompt has the clipped conversation and the numbered file', () => {
  const long = { role: 'assistant', text: `${'x'.repeat(299)}😀y` }
  const { system, prompt } = curatorPrompt({
    path: 'a.py',
    content: 'a\nb\n',
    conversation: [...conversation, long],
  })
  expect(system).toContain('Target: 30-50% preservation for medium files, 10-20% for large files')
  expect(prompt).toBe(
    `CONVERSATION CONTEXT:\nUser: How are errors handled?\nAssistant: ${'x'.repeat(299)}...\n\n` +
      'Analyze this file and curate lines RELEVANT to the conversation above:\nFile: a.py\n1: a\n2: b',
  )
  expect(curatorPrompt({ path: 'a.py', content: 'a\n' }).prompt).toBe(
    'Analyze this file and curate lines by its structure:\nFile: a.py\n1: a',
  )
})

describe('a curator', () => {
  test('receives the documented request and chooses the lines', async () => {
    const asked: CuratorRequest[] = []
    const view = await read(async (request) => {
      asked.push(request)
      return { content: GOOD, thinking: 'They ask for errors.' }
    })
    expect(asked).toMatchObject([{ temperature: 0.3, contextWindow: 16_000, iteration: 1 }])
    expect(view).toMatchObject({
      mode: 'curated',
      curatedBy: 'model',
      ranges: CHOSEN,
      preservedPercentage: 18,
      summary: 'The limits.',
      thinking: 'They ask for errors.',
    })
    expect(view.fallback).toBeUndefined()
    expect(view.text).toContain(
      '**Curated view** (showing 2 relevant sections from 300 total lines)\n\nLines 1-20: Imports\n   1 | value_1 = 1\n',
    )
    expect(view.text).toContain('  20 | value_20 = 20\n...\nLines 45-78: Errors\n')
    expect(
      view.text.endsWith(
        '  78 | value_78 = 78\n...\n\n*Preserved 18.0% of file based on conversation context*',
      ),
    ).toBe(true)
  })

  test('can stream its answer, which is passed on in pieces', async () => {
    async function* pieces() {
      yield { kind: 'thinking' as const, text: 'They ask ' }
      yield { kind: 'thinking' as const, text: 'for errors.' }
      yield GOOD.slice(0, 10)
      yield { kind: 'content' as const, text: GOOD.slice(10) }
    }
    const events: ReadEvent[] = []
    for await (const event of readFileEvents({
      path: 'a.py',
      content: CONTENT,
      curator: pieces,
      conversation,
    })) {
      events.push(event)
    }
    expect(
      events.filter(({ kind }) => kind === 'debug').map((event) => (event as { text: string }).text),
    ).toEqual([
      'File has 300 lines. Thresholds: small=100',
      'Invoking file_curator agent (curated mode)...',
      'Curation parsed successfully, formatting output...',
    ])
    const others = events.filter(({ kind }) => kind !== 'debug')
    expect(others.slice(0, -1)).toEqual([
      { kind: 'start', path: 'a.py', totalLines: 300, mode: 'curated' },
      { kind: 'thinking', text: 'They ask ' },
      { kind: 'thinking', text: 'for errors.' },
      { kind: 'content', text: GOOD.slice(0, 10) },
      { kind: 'content', text: GOOD.slice(10) },
    ])
    const { view } = others.at(-1) as { view: FileView }
    expect(view).toMatchObject({ thinking: 'They ask for errors.', ranges: CHOSEN })
    expect(view.milliseconds).toBeGreaterThan(0)
  })

  test('is called again with the reason if its answer cannot be read', async () => {
    const asked: string[] = []
    const view = await read(async ({ prompt, iteration }) => {
      asked.push(prompt)
      return iteration === 1 ? 'Sure, which lines?' : GOOD
    })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain(
      'Your last answer could not be used: the answer holds no line ranges of this file.',
    )
    expect(view).toMatchObject({ curatedBy: 'model', ranges: CHOSEN })
    expect(view.fallback).toBeUndefined()
  })

  const hang = () => new Promise<never>(() => undefined)
  test.each<[string, Curator, object, string]>([
    [
      'throws',
      () => {
        throw new Error('no network')
      },
      {},
      'call_failed',
    ],
    [
      'rejects',
      async () => {
        throw new Error('no network')
      },
      {},
      'call_failed',
    ],
    [
      'breaks off',
      async function* () {
        yield 'a'
        throw new Error('cut')
      },
      {},
      'call_failed',
    ],
    ['answers an error', async () => ({ error: 'overloaded' }), {}, 'answered_error'],
    ['answers an error as JSON', async () => '{"error": "overloaded"}', {}, 'answered_error'],
    ['answers something else', async () => 'I cannot do that.', {}, 'unreadable_answer'],
    ['answers nothing', async () => undefined as never, {}, 'unreadable_answer'],
    ['answers nothing at once', () => undefined as never, {}, 'unreadable_answer'],
    ['answers something else at once', () => 'I cannot do that.', {}, 'unreadable_answer'],
    ['answers an error at once', () => ({ error: 'overloaded' }), {}, 'answered_error'],
    ['hangs', hang, { curatorSettings: { timeLimit: 5 } }, 'timed_out'],
    [
      'hangs in a stream',
      async function* () {
        yield 'a'
        await hang()
      },
      { curatorSettings: { timeLimit: 5 } },
      'timed_out',
    ],
    ['has a small window', async () => GOOD, { curatorSettings: { contextWindow: 100 } }, 'too_large'],
    ['chooses too much', async () => answer({ start: 1, end: 300 }), { maxTokens: 500 }, 'too_large'],
  ])('that %s does not fail the read', async (_, curator, options, reason) => {
    const view = await read(curator, options)
    expect(view.fallback).toMatchObject({ reason, message: expect.stringMatching(/./) })
    const full = await read(curator, { maxTokens: 1_000_000, ...options })
    if ((options as { maxTokens?: number }).maxTokens === undefined) expect(full.mode).toBe('full')
    const small = await read(curator, { ...options, maxTokens: 200 })
    // No line has a word of the conversation.
    expect(small).toMatchObject({ mode: 'structure', curatedBy: 'outline' })
    expect(small.preservedLines).toBeLessThan(100)
    for (const each of [view, full, small]) {
      for (const [number, line] of shownLines(each.text))
        expect(line).toBe(linesByNumber(CONTENT).get(number))
    }
  })

  test('is aborted with the read', async () => {
    const stop = new AbortController()
    let seen: AbortSignal | undefined
    const reading = read(
      (request) => {
        seen = request.signal
        stop.abort(new Error('enough'))
        return hang()
      },
      { signal: stop.signal },
    )
    await expect(reading).rejects.toThrow('enough')
    expect(seen?.aborted).toBe(true)
    await expect(read(async () => GOOD, { signal: stop.signal })).rejects.toThrow('enough')
  })

  test('has its stream closed after a timeout, but not after a complete answer', async () => {
    let ended = 0
    const stream = (next: () => Promise<IteratorResult<string>>) => () => ({
      [Symbol.asyncIterator]: () => ({
        next,
        return: async () => {
          ended++
          return { done: true as const, value: undefined }
        },
      }),
    })
    await read(stream(hang), { curatorSettings: { timeLimit: 5 } })
    expect(ended).toBe(1)
    const pieces = [GOOD]
    const view = await read(
      stream(async () => {
        const value = pieces.shift()
        return value === undefined ? { done: true, value } : { done: false, value }
      }),
    )
    expect([view.curatedBy, ended]).toEqual(['model', 1])
  })

  test('is aborted when its events are no longer read', async () => {
    let seen: AbortSignal | undefined
    const curator: Curator = async function* ({ signal }) {
      seen = signal
      yield { kind: 'thinking', text: 'a' }
      await hang()
    }
    for await (const event of readFileEvents({ path: 'a.py', content: CONTENT, curator, conversation })) {
      if (event.kind === 'thinking') break
    }
    expect(seen?.aborted).toBe(true)
  })

  test('is not called again for the same file and question', async () => {
    let asked = 0
    const cache = new Map<string, FileView>()
    const curator = async () => {
      asked++
      return asked === 3 ? 'no' : GOOD
    }
    const options = { cache, curatorSettings: { maxIterations: 1 } }
    const first = await read(curator, options)
    const later = [...conversation, { role: 'assistant', text: 'Let me look.' }]
    const again = await read(curator, { ...options, conversation: later })
    expect([first.cached, again.cached, asked]).toEqual([false, true, 1])
    expect(again.text).toBe(first.text)
    expect(JSON.parse(JSON.stringify([...cache.values()]))).toEqual([...cache.values()])
    await read(curator, { ...options, content: `${CONTENT}x = 1\n` })
    expect(asked).toBe(2)
    // A failure is not cached.
    const other = { ...options, conversation: [{ role: 'user', text: 'And the limits?' }] }
    expect((await read(curator, other)).fallback?.reason).toBe('unreadable_answer')
    expect((await read(curator, other)).curatedBy).toBe('model')
    expect(asked).toBe(4)
  })

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e15])(
    'has as long as it takes with a limit of %d ms',
    async (timeLimit) => {
      const view = await read(() => goodAfter(20), { curatorSettings: { timeLimit } })
      expect([view.curatedBy, view.fallback]).toEqual(['model', undefined])
    },
  )

  test('is called once for equal reads at the same time, if they share a cache', async () => {
    const curator = vi.fn(() => goodAfter(5))
    const cache = new Map<string, FileView>()
    const views = await Promise.all(['a', 'b', 'c'].map(() => read(curator, { cache })))
    expect(curator).toHaveBeenCalledTimes(1)
    // Which of them asks is open: each hashes its file first.
    expect(views.filter(({ cached }) => !cached)).toHaveLength(1)
    expect(new Set(views.map(({ text }) => text)).size).toBe(1)
  })

  test('is called again for an equal read when the first is aborted', async () => {
    const curator = vi.fn(() => goodAfter(5))
    const cache = new Map<string, FileView>()
    const controller = new AbortController()
    curator.mockImplementationOnce(() => goodAfter(5000))
    const first = read(curator, { cache, signal: controller.signal })
    await vi.waitFor(() => expect(curator).toHaveBeenCalled())
    const others = ['b', 'c'].map(() => read(curator, { cache }))
    // Long before it answers.
    setTimeout(() => controller.abort(new Error('stopped')), 50)
    await expect(first).rejects.toThrow('stopped')
    expect((await Promise.all(others)).map(({ curatedBy }) => curatedBy)).toEqual(['model', 'model'])
    expect(curator).toHaveBeenCalledTimes(2)
  })

  test('is not waited for by an equal read that is aborted', async () => {
    const cache = new Map<string, FileView>()
    const curator = vi.fn(() => goodAfter(200))
    const first = read(curator, { cache })
    await vi.waitFor(() => expect(curator).toHaveBeenCalled())
    const controller = new AbortController()
    const second = read(curator, { cache, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stopped')), 5)
    await expect(second).rejects.toThrow('stopped')
    expect((await first).curatedBy).toBe('model')
  })

  test('that hangs in one read does not hold an equal read longer than that one waits', async () => {
    const curator = vi.fn<Curator>(hang)
    const cache = new Map<string, FileView>()
    const stop = new AbortController()
    const first = read(curator, { cache, signal: stop.signal })
    await vi.waitFor(() => expect(curator).toHaveBeenCalled())
    const limited = (timeLimit: number) => read(curator, { cache, curatorSettings: { timeLimit } })
    const views = await Promise.all([limited(5), limited(10)])
    expect(views.map(({ mode, fallback }) => [mode, fallback?.reason])).toEqual([
      ['full', 'timed_out'],
      ['full', 'timed_out'],
    ])
    expect(curator).toHaveBeenCalledTimes(1)
    // The first read is still the one that others wait for.
    const other = limited(10_000)
    curator.mockImplementationOnce(async () => GOOD)
    setTimeout(() => stop.abort(new Error('stopped')), 50)
    await expect(first).rejects.toThrow('stopped')
    expect((await other).curatedBy).toBe('model')
    expect(curator).toHaveBeenCalledTimes(2)
    expect(cache.size).toBe(1)
  })

  test('has exactly its chosen lines shown', async () => {
    const range = fc.record({
      start: fc.integer({ min: -3, max: 310 }),
      end: fc.integer({ min: -3, max: 310 }),
    })
    const own = linesByNumber(CONTENT)
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 8 }), async (ranges) => {
        const view = await read(async () => answer(...ranges), { maxTokens: 1_000_000 })
        const valid = ranges.filter(({ start, end }) => start >= 1 && start <= end && end <= 300)
        const chosen = [...new Set(numbersIn(valid))].sort((a, b) => a - b)
        const expected = valid.length === 0 ? [...own.keys()] : chosen
        expect([...shownLines(view.text).keys()]).toEqual(expected)
        for (const [number, line] of shownLines(view.text)) expect(line).toBe(own.get(number))
      }),
      runs,
    )
  })
})

test('description, prompt and debug lines equal those of document "Unified read_file"', async () => {
  expect(UNIFIED_READ_FILE_DESCRIPTION).toBe(
    'Reads a file with smart context optimization. Small files (≤100 lines) show full content instantly. Larger files use an intelligent agent that filters content based on conversation context to show only relevant sections. All files are fully indexed in GraphRAG for later queries. Use this as your primary file reading tool. For surgical access to specific line ranges, use read_lines instead.',
  )
  for (const line of [
    'PRIMARY STRATEGY (if conversation context provided):',
    '2. Keep ONLY code directly related to their questions',
    'FALLBACK STRATEGY (if no conversation context):',
  ])
    expect(CURATOR_SYSTEM_PROMPT.split('\n')).toContain(line)

  const debug = async (ephemeral: boolean) => {
    const lines: string[] = []
    const onEvent = (event: ReadEvent) => event.kind === 'debug' && lines.push(event.text)
    await readFile({ path: 'auth.zig', content: CONTENT, index: createIndex(), ephemeral, onEvent })
    return lines
  }
  expect(await debug(false)).toContain('Queued full file auth.zig for indexing')
  expect(await debug(true)).not.toContain('Queued full file auth.zig for indexing')
})
