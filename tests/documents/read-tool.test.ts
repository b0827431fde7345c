// Document "ReadTool Improvements", from beginning to end: its texts, names, numbers and order. The eleven
// test cases of the document are in tests/node/reading.test.ts.
import { Context, cleanupEphemeralMessages, loadPolicy, project } from 'trimtab'
import { compact } from 'trimtab/compaction'
import { formatRead, formatReads, readTokenLimit } from 'trimtab/files'
import { createResultTracker, EPHEMERAL_WARNING, processToolResult } from 'trimtab/recipes'
import { loadSession, memoryStore, migrateSession, saveSession } from 'trimtab/sessions'
import {
  createReadTool,
  EPHEMERAL_DESCRIPTION,
  EPHEMERAL_GUIDANCE,
  READ_FILE_DESCRIPTION,
} from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n')
const TAIL = 'Use offset=1 to start from the beginning'

describe('formatRead', () => {
  test.each<
    [what: string, total: number, offset: number | undefined, limit: number | undefined, shown: string]
  >([
    [
      'shows the whole file without limit and offset',
      2,
      undefined,
      undefined,
      '     1\tline 1\n     2\tline 2',
    ],
    ['treats offset 0 as the beginning', 2, 0, undefined, '     1\tline 1\n     2\tline 2'],
    ['shows no slice header for offset 1', 2, 1, undefined, '     1\tline 1\n     2\tline 2'],
    ['treats limit 0 as all lines', 2, 1, 0, '     1\tline 1\n     2\tline 2'],
    ['shows no slice header for a limit of all lines', 2, 1, 2, '     1\tline 1\n     2\tline 2'],
    [
      'shows a slice header for a smaller limit',
      3,
      1,
      2,
      '[Showing lines 1-2 of 3 total lines]\n     1\tline 1\n     2\tline 2',
    ],
    [
      'shows a slice header for an offset over 1',
      3,
      2,
      undefined,
      '[Showing lines 2-3 of 3 total lines]\n     2\tline 2\n     3\tline 3',
    ],
    [
      'ends the range at the last line, not at the limit',
      3,
      3,
      9,
      '[Showing lines 3-3 of 3 total lines]\n     3\tline 3',
    ],
    [
      'uses the singular for one line',
      1,
      2,
      undefined,
      `[Cannot read from offset 2: file only has 1 line. ${TAIL}.]`,
    ],
    [
      'uses the plural for several lines',
      2,
      3,
      undefined,
      `[Cannot read from offset 3: file only has 2 lines. ${TAIL}.]`,
    ],
    [
      'suggests an offset for the last lines if there is a limit',
      500,
      12000,
      100,
      `[Cannot read from offset 12000: file only has 500 lines. ${TAIL}, or offset=401 to read the last 100 lines.]`,
    ],
    [
      'suggests no more lines than the file has',
      3,
      9,
      50,
      `[Cannot read from offset 9: file only has 3 lines. ${TAIL}, or offset=1 to read the last 3 lines.]`,
    ],
  ])('%s', (_, total, offset, limit, shown) => {
    const options = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) }
    expect(formatRead({ path: 'a.ts', content: lines(total), ...options }).text).toBe(
      `=== a.ts ===\n${shown}`,
    )
  })

  test('accepts the last line as offset and refuses the next one', () => {
    const at = (offset: number) => formatRead({ path: 'a', content: lines(100), offset }).text
    expect(at(100)).toBe('=== a ===\n[Showing lines 100-100 of 100 total lines]\n   100\tline 100')
    expect(at(101)).toContain('[Cannot read from offset 101: file only has 100 lines. ')
  })
})

describe('formatReads of several files', () => {
  test.each<[what: string, files: object[], answer: object]>([
    [
      'joins files with a blank line',
      [
        { path: 'a', content: 'x' },
        { path: 'b', content: 'y' },
      ],
      {
        content: '=== a ===\n     1\tx\n\n=== b ===\n     1\ty',
        files_read: 2,
        files_failed: 0,
        partial_failure: false,
      },
    ],
    [
      'reports a partial failure',
      [
        { path: 'a', error: new Error('gone') },
        { path: 'b', content: 'y' },
      ],
      {
        content: '=== a ===\nError: gone\n\n=== b ===\n     1\ty',
        files_read: 1,
        files_failed: 1,
        partial_failure: true,
      },
    ],
    [
      'returns an error if all files fail',
      [
        { path: 'a', error: new Error('gone') },
        { path: 'b', error: 'no' },
      ],
      { error: 'Failed to read 2 files: a: gone, b: no', error_type: 'file_error' },
    ],
    [
      'uses the singular if one file fails',
      [{ path: 'a', error: 'no' }],
      { error: 'Failed to read 1 file: a: no', error_type: 'file_error' },
    ],
    [
      'refuses an empty list',
      [],
      {
        error: 'file_paths must be a non-empty array',
        error_type: 'validation_error',
        suggestion: 'Example: read(file_paths=["src/main.ts", "package.json"])',
      },
    ],
  ])('%s', (_, files, answer) => {
    expect(formatReads({ files: files as never })).toMatchObject(answer)
  })
})

describe('read limits', () => {
  const MUCH = 'Use grep/glob to search for specific content, or use limit/offset for targeted reading.'
  const EPHEMERAL =
    ' Or use ephemeral=true to read larger files temporarily (content removed after current turn).'
  const big = 'some words of a line\n'.repeat(3000)
  const read = (files: string[], rest: object = {}) =>
    formatReads({
      files: files.map((path) => ({ path, content: big })),
      limits: { contextSize: 16_000 },
      ...rest,
    })

  test.each<[what: string, answer: () => unknown, error: string]>([
    [
      'the error for one file suggests a limit or an offset',
      () => read(['a.ts']),
      `File(s) too large: estimated 18000.0 tokens exceeds limit of 3000. ${MUCH}${EPHEMERAL} Example: read(file_paths=["a.ts"], limit=100) or read(file_paths=["a.ts"], offset=50, limit=100)`,
    ],
    [
      'the error for several files suggests a limit or fewer files',
      () => read(['a.ts', 'b.ts']),
      `File(s) too large: estimated 36000.0 tokens exceeds limit of 3000. ${MUCH}${EPHEMERAL} Example: read(file_paths=["a.ts"], limit=100) or read fewer files`,
    ],
    [
      'the error for an ephemeral read does not suggest ephemeral reads',
      () => read(['a.ts'], { ephemeral: true }),
      `File(s) too large: estimated 18000.0 tokens exceeds limit of 14400. ${MUCH} Example: read(file_paths=["a.ts"], limit=100) or read(file_paths=["a.ts"], offset=50, limit=100)`,
    ],
  ])('%s', (_, answer, error) => {
    expect(answer()).toEqual({
      isError: true,
      error,
      error_type: 'validation_error',
      suggestion: 'Use targeted reading with limit parameter or search within files first using grep',
    })
  })

  test.each<[what: string, limit: number, tokens: number]>([
    ['the limit is 3,000 tokens by default', readTokenLimit({ contextSize: 200_000 }), 3000],
    ['the default limit is at most a fifth of the context', readTokenLimit({ contextSize: 14_999 }), 2999],
    ['the limit can be configured', readTokenLimit({ contextSize: 200_000, readMaxTokens: 2000 }), 2000],
    [
      'a configured limit is at most a fifth of the context',
      readTokenLimit({ contextSize: 16_384, readMaxTokens: 9000 }),
      3276,
    ],
    [
      'the limit of an ephemeral read is nine tenths of the context, rounded down',
      readTokenLimit({ contextSize: 16_385 }, { ephemeral: true }),
      14_746,
    ],
    [
      'the share for ephemeral reads can be configured',
      readTokenLimit({ contextSize: 1000, ephemeralReadMaxPercent: 0.8 }, { ephemeral: true }),
      800,
    ],
    [
      'the normal limit applies if ephemeral reads are disabled',
      readTokenLimit({ contextSize: 200_000, ephemeralReadEnabled: false }, { ephemeral: true }),
      3000,
    ],
  ])('%s', (_, limit, tokens) => expect(limit).toBe(tokens))

  test('whole files are estimated by bytes / 3.5, slices by the shown text', () => {
    const limits = { contextSize: 16_000 }
    const exact = 'x'.repeat(10_000 - 20)
    expect(formatReads({ files: [{ path: 'a', content: exact }], limits }).isError).toBe(false)
    expect(formatReads({ files: [{ path: 'a', content: 'x'.repeat(10_501) }], limits }).isError).toBe(true)
    expect(formatReads({ files: [{ path: 'a', content: big }], limits, limit: 50 }).isError).toBe(false)
  })

  test('settings load by their names in the configuration', () => {
    const { reading } = loadPolicy({
      context_size: 16_384,
      read_max_tokens: 3000,
      ephemeral_read_max_percent: 0.9,
      ephemeral_read_enabled: true,
    })
    expect(reading).toEqual({
      limits: {
        contextSize: 16_384,
        readMaxTokens: 3000,
        ephemeralReadMaxPercent: 0.9,
        ephemeralReadEnabled: true,
      },
    })
    const { limits } = reading as { limits: { contextSize: number } }
    expect(readTokenLimit(limits)).toBe(3000)
    expect(readTokenLimit(limits, { ephemeral: true })).toBe(Math.floor(16_384 * 0.9))
  })
})

describe('the read tool', () => {
  const workspace = createWorkspace({
    memory: { 'a.ts': 'x\n', 'large.ts': 'some words of a line\n'.repeat(3000) },
  })
  const tool = createReadTool(workspace, { limits: { contextSize: 200_000 } })

  test('has the parameters of the document, in order and wording', () => {
    const { properties, required } = tool.parameters as unknown as {
      properties: Record<string, { type: string; description: string; items?: object }>
      required: string[]
    }
    const said = ['file_paths', 'limit', 'offset', 'ephemeral'].map((name) => {
      const { type, description } = properties[name] as { type: string; description: string }
      return [name, type, description]
    })
    expect(said).toEqual([
      ['file_paths', 'array', 'Array of file paths to read'],
      ['limit', 'integer', 'Maximum lines to read per file (0 = all lines)'],
      ['offset', 'integer', 'Start reading from this line number (1-based)'],
      [
        'ephemeral',
        'boolean',
        'If true, reads up to 90% of context size temporarily. Content is removed from conversation after current turn. Use for one-time large file analysis. Default: false',
      ],
    ])
    expect(properties.file_paths?.items).toEqual({ type: 'string' })
    expect(required).toEqual(['file_paths'])
    expect(EPHEMERAL_DESCRIPTION).toBe(said[3]?.[2])
  })

  test.each([
    ['offsets and their errors', /An offset behind the end of a file is answered with the offsets that work/],
    ['ephemeral reads', /use ephemeral=true .* that content leaves the conversation after the current turn/],
    ['headers of slices', /offset and limit give a part, and say which lines of how many were shown/],
  ])('its description explains %s', (_, words) => expect(READ_FILE_DESCRIPTION).toMatch(words))

  test.each([
    ['when to use ephemeral reads', 'Use ephemeral=true for a one-time analysis of a large file.'],
    ['that their content disappears', 'Ephemeral content disappears after the current turn'],
    ['to save what matters', 'save key information in your response.'],
  ])('its guidance says %s', (_, words) => expect(EPHEMERAL_GUIDANCE).toContain(words))

  test('marks only reads with ephemeral: true, and puts the warning before the content', async () => {
    const plain = await tool.execute({ file_paths: ['a.ts'], ephemeral: false })
    expect([plain.ephemeral, plain.read]).toEqual([false, expect.not.objectContaining({ _ephemeral: true })])
    const result = await tool.execute({ file_paths: ['large.ts'], ephemeral: true })
    expect(result.ephemeral).toBe(true)
    expect(result.read).toMatchObject({ _ephemeral: true, _ephemeral_warning: EPHEMERAL_WARNING })
    expect(result.content.startsWith(`${EPHEMERAL_WARNING}\n\n=== large.ts ===\n`)).toBe(true)
  })

  test.each([
    [
      {},
      // The example names the tool, as those of other refusals do.
      'Error: file_paths must be a non-empty array\nExample: read_file(file_paths=["src/main.ts", "package.json"])',
    ],
    [
      { file_paths: [] },
      'Error: file_paths must be a non-empty array\nExample: read_file(file_paths=["src/main.ts", "package.json"])',
    ],
    [{ file_paths: ['none'] }, 'Error: Failed to read 1 file: none: there is no such file'],
  ])('answers invalid arguments %j with an error', async (args, content) => {
    expect(await tool.execute(args)).toMatchObject({ isError: true, content })
  })
})

describe('processToolResult', () => {
  const toolCall = (id: string) => ({ id, function: { name: 'read', arguments: '{"file_paths":["a.ts"]}' } })
  const content = 'the content of a file that was read, '.repeat(20)
  const warned = { content, _ephemeral: true, _ephemeral_warning: EPHEMERAL_WARNING }

  test('returns a message with the document’s fields', () => {
    expect(processToolResult({ toolCall: toolCall('c1'), result: { content } })).toEqual({
      role: 'tool',
      content,
      tool_call_id: 'c1',
      name: 'read',
    })
  })

  test('puts a warning before ephemeral content and marks the message', () => {
    const message = processToolResult({ toolCall: toolCall('c1'), result: warned })
    expect(message.content).toBe(`${EPHEMERAL_WARNING}\n\n${content}`)
    expect(message.metadata).toEqual({ ephemeral: true })
  })

  test('replaces a repeated result with a reference, but never tracks ephemeral results', () => {
    const tracker = createResultTracker()
    const add = (id: string, result: object | string) =>
      processToolResult({ toolCall: toolCall(id), result: result as string, tracker }).content
    expect(add('c1', warned)).toContain(content)
    expect(add('c2', content)).toBe(content)
    expect(add('c3', content)).toBe(
      '[Duplicate result: This read call returned identical content to call ID c2. Review that result above instead of re-reading. Repeated identical reads waste context space.]',
    )
    expect(add('c4', warned)).toContain(content)
  })
})

describe('ephemeral messages', () => {
  const SECRET = 'what was in the file, '.repeat(40)
  const call = (id: string) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{"file_paths":["a.ts"]}' } }],
  })
  const history = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is in it?' },
    call('c1'),
    {
      role: 'tool',
      tool_call_id: 'c1',
      name: 'read',
      content: SECRET,
      metadata: { ephemeral: true, isCommandResponse: true },
    },
    { role: 'assistant', content: 'A count.', timestamp: 1 },
  ]
  const has = (value: unknown) => JSON.stringify(value).includes('what was in the file')

  test.each(['stub', 'remove'] as const)(
    '%s: cleanup removes the content and reports message, tool and tokens',
    (mode) => {
      const removed: { message: number; tool: string | null; tokensBefore: number; tokensAfter: number }[] =
        []
      const kept = cleanupEphemeralMessages(history, {
        mode,
        onRemoved: (edits) => removed.push(...(edits as never[])),
      })
      expect(has(kept)).toBe(false)
      expect(removed).toContainEqual(expect.objectContaining({ message: 3, tool: 'read' }))
      expect(kept).toContainEqual(history[4])
      expect(kept).toHaveLength(mode === 'stub' ? 5 : 3)
      if (mode === 'stub') expect(kept[3]).toMatchObject({ metadata: { isCommandResponse: true } })
    },
  )

  test('are removed after the final text of a turn, not within the turn', () => {
    const within = new Context({ ephemeral: true }).project(history.slice(0, 4))
    expect(has(within.messages)).toBe(true)
    expect(has(new Context({ ephemeral: true }).project(history).messages)).toBe(false)
    expect(has(new Context({}).endTurn(history))).toBe(false)
    const { report } = project(history, { ephemeral: true })
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore)
  })

  test('are removed before compaction and never enter its prompt', async () => {
    const prompts: string[] = []
    const summarize = async (prompt: string) => {
      prompts.push(prompt)
      return 'A summary.'
    }
    const { messages } = await compact(history, { threshold: 0, keepRecentMessages: 1, summarize })
    expect([has(messages), has(prompts)]).toEqual([false, false])
  })

  test('compaction keeps the system and the last user message, and does nothing below two others', async () => {
    const long = [...history.slice(0, 2), ...history.slice(2).map((m) => ({ ...m, metadata: {} }))]
    const { messages } = await compact(long, {
      threshold: 0,
      keepRecentMessages: 1,
      summarize: async () => 'Short.',
    })
    expect(messages).toContainEqual(long[0])
    expect(messages).toContainEqual(long[1])
    for (const count of [0, 1, 2]) {
      const few = history.slice(0, count)
      const compacted = await compact(few, { threshold: 0, keepRecentMessages: 0 })
      expect(compacted).toMatchObject({ compacted: false, messages: few })
    }
  })

  test('are not saved, and are removed from sessions saved earlier', async () => {
    const store = memoryStore()
    // As saved by a program that did not have this mark yet.
    const unmarked = history.map((message, i) =>
      i === 3 ? { ...message, metadata: {}, _ephemeral: true } : message,
    )
    await saveSession(store, 'a', { history })
    expect(has((await loadSession(store, 'a'))?.session)).toBe(false)
    expect(has(cleanupEphemeralMessages(migrateSession({ history: unmarked }).history))).toBe(false)
  })

  test('cleanup without ephemeral messages changes nothing', () => {
    const plain = history.filter((_, i) => i < 2)
    expect(cleanupEphemeralMessages(plain)).toEqual(plain)
  })
})
