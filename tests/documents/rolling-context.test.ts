// Document "Rolling Context", statement by statement from beginning to end.
import { loadPolicy } from 'trimtab'
import {
  createRollingContextCommand,
  createTruncatedPlaceholder,
  extractKeyInfo,
  getActiveFiles,
  rollingContextPolicy,
  shouldPreserveFileContent,
  shouldTruncateToolResult,
  summarizeToolOutput,
  truncateOldToolOutputs,
} from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'
import { History } from '../timeline/history.js'

const output = (i: number) => `line ${i} of the output\n`.repeat(60)
/** One command per step. */
const steps = (count: number) => {
  const history = new History().user()
  for (let i = 1; i <= count; i++) history.use('bash', { command: `make target${i}` }, output(i))
  return history.messages as { role: string; content: string }[]
}
const gone = (messages: readonly object[], view: readonly object[]) =>
  messages.flatMap((message, i) => (message === view[i] ? [] : [(i - 1 + 1) / 2]))

const NAMES = {
  enabled: true,
  maxToolOutputAge: 5,
  maxToolOutputTokens: 2000,
  preserveRecentFiles: true,
  summarizeOnTruncate: false,
}

describe('rolling context settings', () => {
  test('are off by default and on when enabled', () => {
    expect(loadPolicy({ contextManagement: {} }).policy).toEqual({})
    expect(loadPolicy({ contextManagement: { ...NAMES, enabled: false } }).policy).toEqual({})
    expect(rollingContextPolicy({})).toEqual({})
    const { enabled: _, ...age } = NAMES
    expect(loadPolicy({ contextManagement: NAMES })).toMatchObject({ policy: { age }, ignored: [] })
    expect(loadPolicy({ contextManagement: { enabled: true } }).policy).toEqual({ age })
  })

  test('the command /rolling-context switches them and saves the preference', async () => {
    let saved: object | undefined
    const preference = {
      load: async () => saved as never,
      save: async (settings: object) => {
        saved = settings
      },
    }
    const command = createRollingContextCommand(preference)
    expect(command.name).toBe('rolling-context')
    expect((await command.run('/rolling-context')).settings.enabled).toBe(true)
    const again = createRollingContextCommand(preference)
    expect((await again.run('status')).settings).toEqual(NAMES)
    expect((await again.run('off')).policy).toEqual({})
  })
})

describe('truncateOldToolOutputs', () => {
  test('clears results older than five steps by default', () => {
    const messages = steps(8)
    expect(gone(messages, truncateOldToolOutputs(messages, 8))).toEqual([1, 2])
    expect(gone(messages, truncateOldToolOutputs(messages))).toEqual([1, 2])
    expect(gone(messages, truncateOldToolOutputs(messages, 8, { maxToolOutputAge: 2 }))).toEqual([
      1, 2, 3, 4, 5,
    ])
  })

  test.each([
    [5, false],
    [6, true],
  ])('a result of age %i is truncated: %s', (age, expected) => {
    expect(shouldTruncateToolResult(steps(1)[2] as object, age)).toBe(expected)
  })

  test('the placeholder keeps the message fields and states the original size', () => {
    const message = steps(1)[2] as { role: string; tool_call_id: string; content: string } & object
    const placeholder = createTruncatedPlaceholder(message)
    expect({ ...placeholder, content: '' }).toEqual({ ...message, content: '' })
    expect(placeholder.content.length).toBeLessThan(200)
    expect(placeholder.content).toMatch(/\b1260 chars\b/)
  })

  test('leaves at most 2,000 tokens of an output', () => {
    const long = new History()
      .user()
      .use(
        'bash',
        { command: 'make' },
        'src/very/long/path/of_a_file.ts:1: error: no such thing here\n'.repeat(900),
      )
    for (let i = 0; i < 6; i++) long.use('bash', { command: `x${i}` }, 'ok')
    const view = truncateOldToolOutputs(long.messages, undefined, { summarizeOnTruncate: true }) as {
      content: string
    }[]
    expect((view[2] as { content: string }).content.length / 3.5).toBeLessThanOrEqual(2000)
  })
})

describe('active files', () => {
  const history = new History().user()
  history.use('read_file', { path: 'old.ts' }, output(1))
  history.use('read_file', { path: 'used.ts' }, output(2))
  for (let i = 0; i < 5; i++) history.use('bash', { command: `make ${i}` }, output(9))
  history.use('edit_file', { path: 'used.ts', old_string: 'a', new_string: 'b' }, 'ok')

  test('have a path, the step of the last access and a content hash', () => {
    const files = getActiveFiles(history.messages, 8)
    expect(files).toEqual([
      { path: 'used.ts', lastAccessStep: 8, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  test.each([
    [8, true],
    [13, true],
    [14, false],
  ])('at step %i their content is preserved: %s', (step, expected) => {
    expect(shouldPreserveFileContent({ path: 'used.ts', lastAccessStep: 8 }, step)).toBe(expected)
  })

  test('keep their content while other reads are cleared', () => {
    const view = truncateOldToolOutputs(history.messages, 8) as { content: string }[]
    expect(view[4]).toBe(history.messages[4])
    expect(view[2]?.content).toContain('old.ts')
    const without = truncateOldToolOutputs(history.messages, 8, {
      preserveRecentFiles: false,
      maxToolOutputAge: 1,
    })
    expect(without[2]).not.toBe(history.messages[2])
  })
})

describe('summaries without a model', () => {
  test.each<[what: string, text: string, tool: string, facts: object]>([
    ['paths', 'src/a.ts:3: x\nsrc/b.ts:9: x\n', 'search', { paths: ['src/a.ts', 'src/b.ts'], matches: 2 }],
    [
      'error messages',
      'compiling\nerror: no field `x`\n',
      'bash',
      { errors: ['error: no field `x`'], outcome: 'failed' },
    ],
    ['success', '5 passed in 0.2s\n', 'bash', { outcome: 'succeeded', passed: 5 }],
    ['failure', '1 failed, 4 passed in 0.2s\n', 'bash', { outcome: 'failed', passed: 4, failed: 1 }],
    ['lines', 'a\nb\nc\n', 'bash', { lines: 3, outcome: 'unknown' }],
  ])('extract %s', (_, text, tool, facts) => expect(extractKeyInfo(text, tool)).toMatchObject(facts))

  test('fit on one line', () => {
    const message = { role: 'tool', tool_call_id: 'a', content: '1 failed, 4 passed in 0.2s\nerror: no\n' }
    expect(summarizeToolOutput(message)).toMatch(
      /^[^\n]*4 passed[^\n]*1 failed[^\n]*$|^[^\n]*1 failed[^\n]*4 passed[^\n]*$/,
    )
  })

  test('replace cleared outputs with summarizeOnTruncate', () => {
    const messages = new History()
      .user()
      .use('bash', { command: 'npm test' }, `${output(1)}Tests: 1 failed, 4 passed\n`)
    for (let i = 0; i < 7; i++) messages.use('bash', { command: `x${i}` }, output(i))
    const at = (summarizeOnTruncate: boolean) =>
      (
        truncateOldToolOutputs(messages.messages, undefined, { summarizeOnTruncate }) as { content: string }[]
      )[2]?.content
    expect(at(true)).toContain('4 passed')
    expect(at(false)).not.toContain('4 passed')
  })
})

test('the view of a long conversation stays bounded', () => {
  const sizes = [100, 1000, 4000].map((count) => {
    const messages = steps(count)
    return JSON.stringify(truncateOldToolOutputs(messages)).length / JSON.stringify(messages).length
  })
  expect(Math.max(...sizes)).toBeLessThan(0.3)
  const outputs = (count: number) =>
    truncateOldToolOutputs(steps(count)).filter(
      ({ role, content }) => role === 'tool' && content.length > 200,
    )
  expect([outputs(100).length, outputs(4000).length]).toEqual([6, 6])
})
