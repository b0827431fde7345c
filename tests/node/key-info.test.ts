import { readFileSync } from 'node:fs'
import { TrimtabError } from 'trimtab'
import { extractKeyInfo, summarizeToolOutput } from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'

const LOG = `> vitest run
 FAIL  tests/a.test.ts > adds
AssertionError: expected 3 to be 4
error: test failed
Tests: 2 failed, 40 passed, 42 total
Command exited with code 1
`

describe('extractKeyInfo', () => {
  test('extracts the key facts of a test run', () => {
    expect(extractKeyInfo(LOG, 'bash')).toEqual({
      outcome: 'failed',
      exitStatus: 1,
      passed: 40,
      failed: 2,
      failedTests: ['tests/a.test.ts > adds'],
      moreFailedTests: 0,
      matches: null,
      errors: ['AssertionError: expected 3 to be 4'],
      moreErrors: 0,
      paths: ['tests/a.test.ts'],
      lines: 6,
    })
  })

  test.each([
    ['read_file', LOG, { outcome: 'unknown', failed: null, errors: [], matches: null, lines: 6 }],
    ['read_file', 'Error: no such file', { outcome: 'failed' }],
    [
      'grep',
      'src/a.ts:1:x\nsrc/b.ts:9:x\n',
      { outcome: 'unknown', matches: 2, paths: ['src/a.ts', 'src/b.ts'] },
    ],
    ['grep', 'No matches found', { outcome: 'unknown', matches: 0 }],
    ['grep', 'Error: bad pattern', { outcome: 'failed', matches: null }],
    ['bash', 'BUILD SUCCESSFUL in 2s', { outcome: 'succeeded', errors: [] }],
    [
      'bash',
      'PASS a.test.js\nJest: Coverage for lines (0%) does not meet "global" threshold (100%)\nTests: 2 passed, 2 total\n',
      { outcome: 'failed' },
    ],
    [
      'bash',
      'Running 3 tests using 1 worker\n·\n  1 interrupted\n    a.spec.ts:3:1 › two ───\n  1 did not run\n  1 passed (3.7s)\n',
      { outcome: 'failed' },
    ],
    [
      'bash',
      'test_a.py ..\n\n!!!!!!!! session-timeout: 1.0 sec exceeded !!!!!!!!\n======= 2 passed in 5.01s =======\n',
      { outcome: 'failed' },
    ],
    ['bash', '', { outcome: 'unknown', lines: 0, errors: [] }],
    ['anything', 'fatal: not a git repository', { outcome: 'failed' }],
  ])('extracts the key facts of %s: %j', (tool, content, expected) => {
    expect(extractKeyInfo(content, tool)).toMatchObject(expected)
  })

  test('refuses values that are not text', () => {
    expect(() => extractKeyInfo(3 as unknown as string, 'bash')).toThrow(TrimtabError)
    expect(() => extractKeyInfo('x', undefined as unknown as string)).toThrow(/toolName must be a string/)
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
      `bash output, ${LOG.length} chars, 6 lines: failed; exit 1; 2 failed; 40 passed; failed tests: tests/a.test.ts > adds; errors: AssertionError: expected 3 to be 4; files: tests/a.test.ts`,
    ],
    [chat('a', 'custom'), 'custom output, 1 chars, 1 line'],
    [chat('src/a.ts:1:x', 'grep'), 'grep output, 12 chars, 1 line: 1 match; files: src/a.ts'],
    [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok', is_error: true }] },
      'tool output, 2 chars, 1 line: failed',
    ],
    [chat('BUILD SUCCESSFUL in 2s\n', 'bash'), 'bash output, 23 chars, 1 line: succeeded'],
    // What follows a success may be another command's.
    [
      chat('    Finished `dev` profile in 0.19s\n     Running `x`\ndeploy: 2 of 3 hosts said no\n', 'bash'),
      'bash output, 82 chars, 3 lines',
    ],
    [
      chat('=== 1 passed in 0.13s ===\n!!!!!! _pytest.outcomes.Exit: no database !!!!!!\n', 'bash'),
      'bash output, 75 chars, 2 lines: failed; 1 passed; errors: _pytest.outcomes.Exit: no database',
    ],
    [chat('Run with `--passWithNoTests` to exit with code 0\n', 'bash'), 'bash output, 49 chars, 1 line'],
    [{ role: 'user', content: 'no result' }, ''],
  ])('writes the expected summary: case %#', (message, summary) => {
    expect(summarizeToolOutput(message)).toBe(summary)
  })

  test('says of no recorded run that it succeeded if it did not', () => {
    const folder = new URL('../fixtures/outputs/', import.meta.url)
    const text = (file: string) => readFileSync(new URL(file, folder), 'utf8')
    const cases = JSON.parse(text('expected.json')) as Record<string, { outcome: string }>
    const hard = JSON.parse(text('hard.json')) as Record<string, [outcome: string, output: string][]>
    const outputs = [
      ...Object.entries(cases).map(([name, { outcome }]) => [outcome, text(`${name}.txt`), name] as const),
      ...Object.entries(hard).flatMap(([tool, rows]) => rows.map((row) => [...row, tool] as const)),
    ]
    const told = outputs.map(([outcome, output, name]) => {
      const word = /^[^:]*: (failed|succeeded)\b/.exec(summarizeToolOutput(chat(output, 'bash')))?.[1]
      return { name, outcome, word: word ?? 'unknown' }
    })
    expect(told.filter(({ word, outcome }) => word === 'succeeded' && outcome !== word)).toEqual([])
    expect(told.filter(({ word, outcome }) => word === 'failed' && outcome === 'succeeded')).toEqual([])
    // Few passing runs print nothing but what the rules of test runners know.
    expect(told.filter(({ word }) => word === 'succeeded').length).toBeGreaterThan(25)
    expect(told.filter(({ word, outcome }) => word === 'failed' && outcome === word).length).toBeGreaterThan(
      300,
    )
  })

  test('says of no failed run that it succeeded because the host states exit status 0', () => {
    for (const output of [
      'a.py:4: error: bad\nFound 1 error in 1 file (checked 1 source file)\n',
      'CONFLICT (content): Merge conflict in a\nAutomatic merge failed; fix conflicts and then commit the result.\n',
      'make: *** [Makefile:5: b] Error 3\n',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.\n',
      'The following tests FAILED:\n\t  1 - a (Failed)\nErrors while running CTest\n',
    ]) {
      const text = `${output}Exit code: 0\n`
      expect(extractKeyInfo(text, 'bash').outcome, text).toBe('failed')
      expect(summarizeToolOutput(chat(text, 'bash')), text).toMatch(/lines: exit 0/)
    }
    expect(summarizeToolOutput(chat('Exit code: 0\n', 'bash'))).toMatch(/: succeeded; exit 0$/)
  })

  test.each([
    ['gcc -c a.c\nmake: *** [Makefile:3: all] Error 1\nok  \texample.com/a\t0.003s', 'failed'],
    ['src/a.ts(3,1): error TS2304: no x\nTests:       2 passed, 2 total', 'failed'],
    ['Found 1 error in 1 file\n===== 1 passed in 0.13s =====', 'failed'],
    ['[ 1 containers failed ]\n[ 1 tests successful ]\n[ 0 tests failed ]', 'failed'],
    ['[ 0 containers failed ]\n[ 1 tests successful ]\n[ 0 tests failed ]', 'succeeded'],
    ['TAP version 13\nok 1 - a\nBail out! no database\n# pass 1\n# fail 0', 'failed'],
    ['Summary [ 0.004s] 2 tests run: 1 passed, 1 exec failed, 0 skipped', 'failed'],
    ['[INFO] BUILD SUCCESS\n[ERROR] Failed to execute goal a:b: no', 'failed'],
    ['Tests:       2 passed, 2 total\n./deploy.sh: line 3: /bin/ship: No such file or directory', 'unknown'],
    ['a1b2c3d Fix exit code 2 of the parser', 'unknown'],
    ['docs/cli.md:14:The program exits with exit code 1 if no file matches', 'unknown'],
    ['Process exited with code 1', 'failed'],
    ['exit status 1', 'failed'],
    ['The command failed with exit code 1.', 'failed'],
  ])('says %j only of what the output says: %s', (output, outcome) => {
    expect(extractKeyInfo(output, 'bash').outcome).toBe(outcome)
    const word = /^[^:]*: (failed|succeeded)\b/.exec(summarizeToolOutput(chat(output, 'bash')))?.[1]
    expect([outcome, 'unknown']).toContain(word ?? 'unknown')
  })

  test('does not report a failure for an error that passing tests log', () => {
    const log = 'Error: card was refused\n✔ reports it (1.2ms)\nℹ pass 4\nℹ fail 0\n'
    const summary = summarizeToolOutput(chat(log, 'bash'))
    expect(summary).toContain(': 0 failed; 4 passed; errors: Error: card was refused')
    // The error flag of the format has precedence.
    const block = { type: 'tool_result', tool_use_id: 'c', content: log.slice(24), is_error: true }
    expect(summarizeToolOutput({ role: 'user', content: [block] })).toContain(': failed; 0 failed; 4 passed')
  })

  test('reports only the size of ephemeral content', () => {
    const message = chat('error: the secret is out', 'bash', { metadata: { ephemeral: true } })
    expect(summarizeToolOutput(message)).toBe('bash output, 24 chars, 1 line: ephemeral')
  })

  test('writes one line for each result of a message', () => {
    const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
    const message = { role: 'user', content: [result('a', 'one'), result('b', 'Error: two')] }
    expect(summarizeToolOutput(message).split('\n')).toEqual([
      'tool output, 3 chars, 1 line',
      'tool output, 10 chars, 1 line: failed; errors: Error: two',
    ])
  })
})
