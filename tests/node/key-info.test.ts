import { extractKeyInfo, summarizeToolOutput, TrimtabError } from 'trimtab'
import { describe, expect, test } from 'vitest'

const LOG = `> vitest run
 FAIL  tests/a.test.ts > adds
AssertionError: expected 3 to be 4
error: test failed
Tests: 2 failed, 40 passed, 42 total
Command exited with code 1
`

describe('extractKeyInfo', () => {
  test('of a test run', () => {
    expect(extractKeyInfo(LOG, 'bash')).toEqual({
      success: false,
      exitStatus: 1,
      passed: 40,
      failed: 2,
      matches: null,
      errors: ['AssertionError: expected 3 to be 4', 'error: test failed'],
      moreErrors: 0,
      paths: ['tests/a.test.ts'],
      lines: 6,
    })
  })

  test.each([
    ['read_file', LOG, { success: true, failed: null, errors: [], matches: null, lines: 6 }],
    ['read_file', 'Error: no such file', { success: false }],
    ['grep', 'src/a.ts:1:x\nsrc/b.ts:9:x\n', { success: true, matches: 2, paths: ['src/a.ts', 'src/b.ts'] }],
    ['grep', 'No matches found', { success: true, matches: 0 }],
    ['grep', 'Error: bad pattern', { success: false, matches: null }],
    ['bash', '', { success: true, lines: 0, errors: [] }],
    ['anything', 'fatal: not a git repository', { success: false }],
  ])('%s: %j', (tool, content, expected) => {
    expect(extractKeyInfo(content, tool)).toMatchObject(expected)
  })

  test('refuses what is no text', () => {
    expect(() => extractKeyInfo(3 as unknown as string, 'bash')).toThrow(TrimtabError)
    expect(() => extractKeyInfo('x', undefined as unknown as string)).toThrow(/toolName must be a text/)
  })
})

describe('summarizeToolOutput', () => {
  const chat = (content: string, name: string, more: object = {}) => ({
    role: 'tool',
    tool_call_id: 'c',
    name,
    content,
    ...more,
  })

  test.each([
    [
      chat(LOG, 'bash'),
      `bash output, ${LOG.length} chars, 6 lines: failed; exit 1; 2 failed; 40 passed; errors: AssertionError: expected 3 to be 4 | error: test failed; files: tests/a.test.ts`,
    ],
    [chat('a', 'custom'), 'custom output, 1 chars, 1 line: succeeded'],
    [chat('src/a.ts:1:x', 'grep'), 'grep output, 12 chars, 1 line: succeeded; 1 match; files: src/a.ts'],
    [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok', is_error: true }] },
      'tool output, 2 chars, 1 line: failed',
    ],
    [{ role: 'user', content: 'no result' }, ''],
  ])('%#', (message, summary) => {
    expect(summarizeToolOutput(message)).toBe(summary)
  })

  test('says nothing of ephemeral content but its size', () => {
    const message = chat('error: the secret is out', 'bash', { metadata: { ephemeral: true } })
    expect(summarizeToolOutput(message)).toBe('bash output, 24 chars, 1 line: ephemeral')
  })

  test('a line for each result of a message', () => {
    const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
    const message = { role: 'user', content: [result('a', 'one'), result('b', 'Error: two')] }
    expect(summarizeToolOutput(message).split('\n')).toEqual([
      'tool output, 3 chars, 1 line: succeeded',
      'tool output, 10 chars, 1 line: failed; errors: Error: two',
    ])
  })
})
