import { createHash } from 'node:crypto'
import { truncateOldToolOutputs } from 'trimtab'
import {
  createTruncatedPlaceholder,
  getActiveFiles,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
} from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'

interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: string
  tool_call_id?: string
  name?: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

const LONG = 'some output of a tool\n'.repeat(50)

/** One step: a call of a tool and its result. */
function step(id: string, tool: string, args: object, content = LONG): Message[] {
  const call = { id, type: 'function' as const, function: { name: tool, arguments: JSON.stringify(args) } }
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const steps = (count: number, make: (i: number) => Message[]) =>
  Array.from({ length: count }, (_, i) => make(i)).flat()
const contents = (messages: Message[]) => messages.filter((m) => m.role === 'tool').map((m) => m.content)

describe('truncateOldToolOutputs', () => {
  const history: Message[] = [
    { role: 'user', content: 'go' },
    ...steps(8, (i) => step(`c${i}`, 'bash', { command: `make part${i}` })),
  ]

  test('clears results older than five steps, and leaves stubs that say what they were', () => {
    const shown = contents(truncateOldToolOutputs(history))
    expect(shown.slice(0, 2)).toEqual(Array(2).fill('[cleared bash output, 1100 chars; re-run if needed]'))
    expect(shown.slice(2)).toEqual(Array(6).fill(LONG))
  })

  test.each([
    [8, 2],
    [6, 0],
    [7, 1],
    [0, 0],
  ])('at step %i clears %i results', (currentStep, cleared) => {
    const shown = contents(truncateOldToolOutputs(history, currentStep))
    expect(shown.filter((content) => content !== LONG)).toHaveLength(cleared)
  })

  test('takes the limit from maxToolOutputAge, and does nothing if enabled is false', () => {
    const cleared = (config: object) =>
      contents(truncateOldToolOutputs(history, undefined, config)).filter((c) => c !== LONG)
    expect(cleared({ maxToolOutputAge: 0 })).toHaveLength(7)
    expect(cleared({ maxToolOutputAge: 7 })).toHaveLength(0)
    expect(cleared({ maxToolOutputAge: 0, enabled: false })).toHaveLength(0)
    expect(cleared({ maxToolOutputAge: 0, excludeTools: ['bash'] })).toHaveLength(0)
  })

  test('limits stubs to maxToolOutputTokens', () => {
    const left = (maxToolOutputTokens: number) =>
      contents(truncateOldToolOutputs(history, undefined, { maxToolOutputAge: 0, maxToolOutputTokens }))[0]
    expect(left(15)).toBe('[cleared bash output, 1100 chars; re-run if needed]')
    expect(left(14)).toBe('[cleared, 1100 chars]')
    expect(left(6)).toBe('[cleared, 1100 chars]')
    expect(left(5)).toBe('[cleared]')
    expect(left(0)).toBe('[cleared]')
  })

  test('adds key facts to stubs with summarizeOnTruncate, within maxToolOutputTokens', () => {
    const log = `${'compiling\n'.repeat(200)}src/a.ts(3,1): error TS2304: no name\nTests: 3 failed, 120 passed\nexit code: 1\n`
    const old = [
      ...step('t', 'bash', { command: 'npm test' }, log),
      ...steps(6, (i) => step(`c${i}`, 'bash', {})),
    ]
    const first = (config: object) => contents(truncateOldToolOutputs(old, undefined, config))[0]
    expect(first({ summarizeOnTruncate: true })).toBe(
      `[cleared bash output, ${log.length} chars; exit 1; 3 failed; 120 passed; ` +
        'errors: src/a.ts(3,1): error TS2304: no name; files: src/a.ts; re-run if needed]',
    )
    const short = first({ summarizeOnTruncate: true, maxToolOutputTokens: 20 }) as string
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(70)
    expect(short).toMatch(/^\[cleared bash output, 2\d+ chars; exit 1.*…; re-run if needed\]$/)
  })

  test('keeps results of active files, failures and small results', () => {
    const reads = [
      ...step('a', 'read_file', { path: 'src/a.ts' }),
      ...step('b', 'read_file', { path: './src/b.ts', offset: 10, limit: 5 }),
      ...step('e', 'bash', {}, `Error: ${LONG}`),
      ...step('s', 'bash', {}, 'ok'),
      ...steps(4, (i) => step(`c${i}`, 'bash', {})),
      ...step('again', 'read_file', { path: 'src/a.ts', offset: 3, limit: 2 }, 'two lines'),
      ...step('search', 'grep', { pattern: 'x', path: 'src/b.ts' }, 'no match'),
    ]
    const shown = contents(truncateOldToolOutputs(reads))
    expect(shown.slice(0, 4)).toEqual([
      LONG,
      '[cleared src/b.ts:10-14, 1100 chars; re-run if needed]',
      `Error: ${LONG}`,
      'ok',
    ])
    expect(contents(truncateOldToolOutputs(reads, undefined, { preserveRecentFiles: false }))[0]).not.toBe(
      LONG,
    )
  })

  test('keeps the newest read of an edited file', () => {
    const edited = [
      ...step('r1', 'read_file', { path: 'a.ts' }),
      ...step('r2', 'read_file', { path: 'a.ts' }),
      ...step('w', 'edit_file', { path: 'a.ts', old_string: 'x', new_string: 'y' }, 'done'),
      ...steps(9, (i) => step(`c${i}`, 'bash', {})),
    ]
    expect(contents(truncateOldToolOutputs(edited)).slice(0, 2)).toEqual([
      '[cleared a.ts, 1100 chars; re-run if needed]',
      LONG,
    ])
  })

  test('keeps lists of parts, and the other fields of a part', () => {
    const part = { type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const use = { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'x' } }
    const other = (i: number) => [
      { role: 'assistant', content: [{ ...use, id: `u${i}` }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `u${i}`, content: 'ok' }] },
    ]
    const messages = [
      { role: 'assistant', content: [use] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [image, part] },
          { type: 'text', text: 'and?' },
        ],
      },
      ...Array.from({ length: 6 }, (_, i) => other(i)).flat(),
    ]
    const view = truncateOldToolOutputs(messages)
    // The image is cleared too; it counts 1,600 tokens.
    const text = '[cleared bash output, 1 image, 1915 tokens, step 1; re-run if needed]'
    expect(view[1]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ ...part, text }] },
        { type: 'text', text: 'and?' },
      ],
    })
    expect(view[1]?.content[1]).toBe(messages[1]?.content[1])
  })
})

describe('truncation of one message', () => {
  const result: Message = { role: 'tool', tool_call_id: 'a', name: 'bash', content: LONG }

  test.each([
    [5, false],
    [6, true],
    [1000, true],
  ])('shouldTruncateToolResult at age %i is %s', (age, expected) => {
    expect(shouldTruncateToolResult(result, age)).toBe(expected)
  })

  test('shouldTruncateToolResult is false for short, failed or excluded results', () => {
    expect(shouldTruncateToolResult({ ...result, content: 'ok' }, 99)).toBe(false)
    expect(shouldTruncateToolResult({ ...result, content: `Error: ${LONG}` }, 99)).toBe(false)
    expect(shouldTruncateToolResult({ role: 'user', content: LONG }, 99)).toBe(false)
    expect(shouldTruncateToolResult(result, 99, { excludeTools: ['bash'] })).toBe(false)
    expect(shouldTruncateToolResult(result, 99, { enabled: false })).toBe(false)
    expect(shouldTruncateToolResult(result, 3, { maxToolOutputAge: 2 })).toBe(true)
  })

  test('createTruncatedPlaceholder keeps every field but the content', () => {
    const placeholder = createTruncatedPlaceholder(Object.freeze(result))
    expect(placeholder).toEqual({ ...result, content: '[cleared bash output, 1100 chars; re-run if needed]' })
    const { name: _, ...nameless } = result
    expect(createTruncatedPlaceholder(nameless).content).toBe(
      '[cleared tool output, 1100 chars; re-run if needed]',
    )
    expect(createTruncatedPlaceholder(placeholder)).toEqual(placeholder)
    const prompt = { role: 'user', content: LONG }
    expect(createTruncatedPlaceholder(prompt)).toBe(prompt)
  })
})

describe('active files', () => {
  const history = [
    ...step('a', 'read_file', { path: 'a.ts' }, 'old a'),
    ...step('b', 'read_file', { path: 'b.ts' }, 'b'),
    ...step('a2', 'read_file', { path: './a.ts' }, 'new a'),
    ...step('c', 'edit_file', { file_path: 'c.ts' }, 'edited'),
  ]
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

  test('getActiveFiles returns the path, last step and content hash of each file', () => {
    expect(getActiveFiles(history)).toEqual([
      { path: 'a.ts', lastAccessStep: 3, contentHash: sha256('new a') },
      { path: 'b.ts', lastAccessStep: 2, contentHash: sha256('b') },
      { path: 'c.ts', lastAccessStep: 4 },
    ])
    expect(getActiveFiles(history, 4, { maxToolOutputAge: 1 }).map((file) => file.path)).toEqual([
      'a.ts',
      'c.ts',
    ])
    expect(getActiveFiles(history, 1)).toEqual([
      { path: 'a.ts', lastAccessStep: 1, contentHash: sha256('old a') },
    ])
  })

  test('no hash stays of ephemeral content, and none of several files at once', () => {
    const [call, result] = step('d', 'read_file', { path: 'd.ts' }, 'secret') as [Message, Message]
    const both = step('e', 'read_file', { file_paths: ['e.ts', 'f.ts'] }, 'both')
    const files = getActiveFiles([call, { ...result, metadata: { ephemeral: true } }, ...both])
    expect(files).toEqual([
      { path: 'd.ts', lastAccessStep: 1 },
      { path: 'e.ts', lastAccessStep: 2 },
      { path: 'f.ts', lastAccessStep: 2 },
    ])
  })

  test.each([
    [10, {}, true],
    [11, {}, false],
    [6, { maxToolOutputAge: 0 }, false],
    [5, { preserveRecentFiles: false }, false],
  ])('shouldPreserveFileContent at step %i with %o is %s', (currentStep, config, expected) => {
    expect(shouldPreserveFileContent({ path: 'a.ts', lastAccessStep: 5 }, currentStep, config)).toBe(expected)
  })
})
