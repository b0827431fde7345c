// Document "Unified read_file", from beginning to end: modes, limits, headers, prompts, fallbacks, debug
// lines.

import { loadPolicy } from 'trimtab'
import { createIndex } from 'trimtab/index'
import {
  CURATOR_DEFAULTS,
  CURATOR_SYSTEM_PROMPT,
  type Curator,
  type CuratorRequest,
  createFileReader,
  curatorPrompt,
  parseCuration,
  READ_PRESETS,
  type ReadEvent,
  type ReadFileOptions,
  readFile,
  readFileEvents,
  UNIFIED_READ_FILE_DESCRIPTION,
} from 'trimtab/reading'
import { createTools, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'

const lines = (count: number) =>
  Array.from({ length: count }, (_, i) => `const v${i + 1} = ${i + 1};\n`).join('')
const asked = [{ role: 'user', text: 'How does authentication work in this app?' }]
const answer =
  (...ranges: object[]): Curator =>
  async () =>
    JSON.stringify({ line_ranges: ranges, summary: 'S' })
const CHOSEN = [
  { start: 1, end: 20, reason: 'Import statements and module dependencies' },
  { start: 45, end: 78, reason: 'Error type definitions' },
]

async function read(count: number, options: Partial<ReadFileOptions> = {}) {
  const debug: string[] = []
  const onEvent = (event: ReadEvent) => {
    if (event.kind === 'debug') debug.push(event.text)
  }
  const view = await readFile({ path: 'app.zig', content: lines(count), onEvent, ...options })
  return { ...view, debug }
}

describe('read_file chooses its mode by file size', () => {
  test.each<[count: number, options: Partial<ReadFileOptions>, mode: string]>([
    [45, { curator: answer(...CHOSEN) }, 'full'],
    [100, { curator: answer(...CHOSEN) }, 'full'],
    [101, { curator: answer(...CHOSEN) }, 'curated'],
    [101, { conversation: [{ role: 'user', text: 'What is v7?' }] }, 'curated'],
    // Nothing in the file is about it.
    [101, { conversation: asked }, 'structure'],
    [101, {}, 'structure'],
    [51, { threshold: 'aggressive' }, 'structure'],
    [200, { threshold: 'conservative' }, 'full'],
    [150, { threshold: { small: 150 } }, 'full'],
    [45, { mode: 'structure' }, 'structure'],
    [45, { mode: 'curated', curator: answer({ start: 1, end: 9 }) }, 'curated'],
    [300, { mode: 'full' }, 'full'],
  ])('%i lines with %o: mode %s', async (count, options, mode) => {
    expect((await read(count, options)).mode).toBe(mode)
  })

  test('the presets are 50, 100 and 200 lines', () => {
    expect(READ_PRESETS).toEqual({ aggressive: 50, balanced: 100, conservative: 200 })
  })

  test('thresholds load by their names in the configuration', () => {
    const thresholds = { '*.json': { small: 200, large: 1000 }, '*.zig': { small: 100, large: 500 } }
    expect(loadPolicy({ file_read_small_threshold: 100, file_read_thresholds: thresholds }).reading).toEqual({
      threshold: { small: 100 },
      thresholds,
    })
  })

  test.each<[path: string, count: number, mode: string]>([
    ['a.json', 200, 'full'],
    ['a.json', 201, 'curated'],
    ['a.json', 1001, 'structure'],
    ['src/a.zig', 100, 'full'],
    ['src/a.zig', 500, 'curated'],
    ['src/a.zig', 501, 'structure'],
    ['a.txt', 5000, 'curated'],
  ])('thresholds by file type: %s with %i lines has mode %s', async (path, count, mode) => {
    const thresholds = { '*.json': { small: 200, large: 1000 }, '*.zig': { small: 100, large: 500 } }
    const conversation = [{ role: 'user', text: 'v7' }]
    expect((await readFile({ path, content: lines(count), thresholds, conversation })).mode).toBe(mode)
  })

  test('the whole file is indexed in every mode', async () => {
    for (const count of [45, 345]) {
      const index = createIndex()
      await read(count, { index })
      expect(index.has('app.zig')).toBe(true)
      const [found] = await index.query(`v${count - 1}`)
      expect(JSON.stringify(found)).toContain(`v${count - 1}`)
    }
  })

  // "Turn 2+: GraphRAG compresses to ~50 lines".
  test('an old read is later about 50 lines that suit the conversation', async () => {
    const content = lines(700).replace('const v500 = 500;', 'function authenticate(token) {}')
    const index = createIndex()
    await index.add({ path: 'app.ts', content })
    const digest = await index.digest('app.ts', 'How does authenticate work?')
    expect(digest.shownLines).toBeGreaterThan(35)
    expect(digest.shownLines).toBeLessThanOrEqual(50)
    expect(digest.text).toContain(' 500 | function authenticate(token) {}')
  })

  test('the read tools are read_file and read_lines', async () => {
    const workspace = createWorkspace({ memory: { 'app.zig': lines(1200) } })
    const tools = new Map(
      // The document's text promises an agent and an index.
      createTools(workspace, {
        reader: createFileReader({ curator: async () => ({ content: '{}' }) }),
        index: createIndex(),
      }).map((tool) => [tool.name, tool]),
    )
    expect([...tools.keys()].filter((name) => name.startsWith('read'))).toEqual(['read_file', 'read_lines'])
    expect(tools.get('read_file')?.description.startsWith(UNIFIED_READ_FILE_DESCRIPTION)).toBe(true)
    const { content } = await (tools.get('read_lines') as Tool).execute({
      path: 'app.zig',
      start: 450,
      end: 550,
    })
    expect(content.split('\n')[1]).toBe('[Showing lines 450-550 of 1200 total lines]')
    expect(content.split('\n')).toHaveLength(103)
    const { properties } = (tools.get('read_file') as Tool).parameters as never as {
      properties: { mode: { enum: string[] } }
    }
    expect(properties.mode.enum).toEqual(['auto', 'full', 'curated', 'structure'])
  })
})

describe('output of read_file', () => {
  test('shows a small file in full under its header', async () => {
    const { text } = await read(3)
    expect(text).toBe(
      'File: app.zig (full)\nTotal lines: 3 | Preserved: 3 (100.0%)\n\n   1 | const v1 = 1;\n   2 | const v2 = 2;\n   3 | const v3 = 3;',
    )
  })

  test('shows the chosen sections of a larger file with reasons and percentage', async () => {
    const { text } = await read(300, { curator: answer(...CHOSEN), conversation: asked })
    const rows = text.split('\n')
    expect(rows.slice(0, 6)).toEqual([
      'File: app.zig (curated)',
      'Total lines: 300 | Preserved: 54 (18.0%)',
      '',
      '**Curated view** (showing 2 relevant sections from 300 total lines)',
      '',
      'Lines 1-20: Import statements and module dependencies',
    ])
    expect(rows.slice(25, 29)).toEqual([
      '  20 | const v20 = 20;',
      '...',
      'Lines 45-78: Error type definitions',
      '  45 | const v45 = 45;',
    ])
    expect(rows.slice(-4)).toEqual([
      '  78 | const v78 = 78;',
      '...',
      '',
      '*Preserved 18.0% of file based on conversation context*',
    ])
  })

  test('shows the document’s header above a structure', async () => {
    const { text, preservedLines } = await read(1200)
    expect(text.split('\n').slice(0, 2)).toEqual([
      'File: app.zig (structure)',
      `Total lines: 1200 | Preserved: ${preservedLines} (${((preservedLines / 1200) * 100).toFixed(1)}%)`,
    ])
  })

  // "Context Savings Analysis": maximum number of lines by the size of the file.
  test.each([
    [50, 50],
    [150, 60],
    [300, 120],
    [700, 100],
    [1200, 150],
  ])('of %i lines shows at most %i', async (count, most) => {
    expect((await read(count, { conversation: asked })).preservedLines).toBeLessThanOrEqual(most)
  })
})

describe('the curator request', () => {
  test('contains both strategies word for word', () => {
    for (const strategy of [
      'PRIMARY STRATEGY (if conversation context provided):\n1. What is the user investigating?\n2. Keep ONLY code directly related to their questions\n3. Be AGGRESSIVE - omit unrelated code\n4. Target: 30-50% preservation for medium files, 10-20% for large files\n',
      'FALLBACK STRATEGY (if no conversation context):\n1. Curate based on code structure\n2. KEEP: Imports, type definitions, function signatures, complex logic, public APIs\n3. OMIT: Verbose comments, boilerplate, simple getters, test data\n4. Target: 30-50% preservation\n',
    ])
      expect(CURATOR_SYSTEM_PROMPT).toContain(strategy)
  })

  test('contains the conversation, 300 characters per message, and the numbered file', () => {
    const content = 'const std = @import("std");\nconst User = struct { ... };\n'
    const said = [...asked, { role: 'assistant', text: 'Let me read the auth module...' }]
    expect(curatorPrompt({ path: 'auth.zig', content, conversation: said }).prompt).toBe(
      `CONVERSATION CONTEXT:
User: How does authentication work in this app?
Assistant: Let me read the auth module...

Analyze this file and curate lines RELEVANT to the conversation above:
File: auth.zig
1: const std = @import("std");
2: const User = struct { ... };`,
    )
    const long = curatorPrompt({
      path: 'a',
      content,
      conversation: [{ role: 'user', text: 'x'.repeat(301) }],
    }).prompt
    expect(/x+/.exec(long)?.[0]).toHaveLength(300)
    expect(curatorPrompt({ path: 'a', content }).prompt).not.toContain('CONVERSATION')
    const many = Array.from({ length: 9 }, (_, i) => ({ role: 'user', text: `said ${i}` }))
    const last = curatorPrompt({ path: 'a', content, conversation: many, recentMessages: 2 }).prompt
    expect(last.match(/said \d/g)).toEqual(['said 7', 'said 8'])
  })

  test('has temperature 0.3, at most two iterations and a window of 16k', async () => {
    const requests: CuratorRequest[] = []
    const curator: Curator = async (request) => {
      requests.push(request)
      return 'nothing of use'
    }
    await read(300, { curator })
    expect(
      requests.map(({ temperature, contextWindow, iteration }) => [temperature, contextWindow, iteration]),
    ).toEqual([
      [0.3, 16_000, 1],
      [0.3, 16_000, 2],
    ])
    expect(CURATOR_DEFAULTS).toMatchObject({ temperature: 0.3, maxIterations: 2, contextWindow: 16_000 })
  })

  test('is made only once when the answer is valid', async () => {
    let asked = 0
    await read(300, {
      curator: async () => {
        asked++
        return { content: '{"line_ranges":[{"start":1,"end":2,"reason":"r"}]}' }
      },
    })
    expect(asked).toBe(1)
  })

  test('is not made for small files', async () => {
    const curator = () => {
      throw new Error('asked')
    }
    expect((await read(100, { curator })).fallback).toBeUndefined()
  })
})

describe('the curator answer', () => {
  test('is checked: invalid ranges are skipped and the percentage is computed', () => {
    const text = JSON.stringify({
      line_ranges: [
        ...CHOSEN,
        { start: 30, end: 25 },
        { start: 90, end: 101 },
        { start: 0, end: 3 },
        { start: 50, end: 50 },
      ],
      summary: 'Showing file structure only. Implementation details omitted.',
      preserved_percentage: 12,
    })
    expect(parseCuration(text, 100)).toEqual({
      ranges: CHOSEN,
      summary: 'Showing file structure only. Implementation details omitted.',
      preservedLines: 54,
      preservedPercentage: 54,
      skipped: 3,
    })
  })

  test.each<[what: string, curator: Curator, reason: string]>([
    ['the call fails', () => Promise.reject(new Error('no model')), 'call_failed'],
    ['it answers an error', async () => ({ error: 'overloaded' }), 'answered_error'],
    ['its JSON cannot be read', async () => '{"line_ranges": [', 'unreadable_answer'],
  ])('%s: read_file shows the full file', async (_, curator, reason) => {
    const view = await read(150, { curator })
    expect([view.mode, view.preservedLines, view.fallback?.reason]).toEqual(['full', 150, reason])
  })

  test('a failure for a file over the read limit shows its structure', async () => {
    const view = await read(2000, { curator: () => Promise.reject(new Error('no model')) })
    expect([view.mode, view.fallback?.reason]).toEqual(['structure', 'call_failed'])
  })

  test('is cached while the file is the same', async () => {
    let asked = 0
    const cache = new Map()
    const curator: Curator = async () => {
      asked++
      return JSON.stringify({ line_ranges: CHOSEN })
    }
    const views = []
    for (const count of [300, 300, 301]) views.push(await read(count, { curator, cache }))
    expect([asked, ...views.map(({ cached }) => cached)]).toEqual([2, false, true, false])
  })

  test('is streamed: thinking and content in pieces, then the view with time and counts', async () => {
    const curator: Curator = async function* () {
      yield { kind: 'thinking', text: 'Analyzing config.zig (344 lines)... ' }
      yield { kind: 'thinking', text: 'User is investigating config system.' }
      yield { kind: 'content', text: JSON.stringify({ line_ranges: CHOSEN }) }
    }
    const events: ReadEvent[] = []
    for await (const event of readFileEvents({ path: 'config.zig', content: lines(344), curator }))
      events.push(event)
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'debug')
    expect(kinds).toEqual(['start', 'thinking', 'thinking', 'content', 'done'])
    expect(events.at(-1)).toMatchObject({
      view: {
        thinking: 'Analyzing config.zig (344 lines)... User is investigating config system.',
        totalLines: 344,
        preservedLines: 54,
        milliseconds: expect.any(Number),
      },
    })
  })
})

test('read_file shows the structure first, and expand shows a section', async () => {
  const code = Array.from(
    { length: 60 },
    (_, i) => `def function_${i}(value):\n    first = value\n    return ${i}\n`,
  ).join('\n')
  const reader = createFileReader()
  const view = await reader.readFile({ path: 'a.py', content: code })
  expect([view.mode, view.sections.length]).toEqual(['structure', 60])
  const { text } = await reader.expand({ path: 'a.py', content: code, section: 'function_7' })
  expect(text).toContain('  31 |     return 7')
})

describe('debug lines of read_file', () => {
  const threshold = { small: 100, large: 500 }
  test.each<[what: string, count: number, options: Partial<ReadFileOptions>, expected: string[]]>([
    [
      'of a curated file',
      345,
      { threshold, curator: answer(...CHOSEN), index: createIndex() },
      [
        'File has 345 lines. Thresholds: small=100, large=500',
        'Invoking file_curator agent (curated mode)...',
        'Curation parsed successfully, formatting output...',
        'Queued full file app.zig for indexing',
      ],
    ],
    [
      'of a small file',
      45,
      { threshold, index: createIndex() },
      ['File has 45 lines. Thresholds: small=100, large=500', 'Queued full file app.zig for indexing'],
    ],
  ])('%s', async (_, count, options, expected) => {
    expect((await read(count, options)).debug.sort()).toEqual([...expected].sort())
  })
})
