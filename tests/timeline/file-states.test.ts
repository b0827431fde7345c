import { changelog, compressEdits, fileStateAt, fileStates } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import { History } from './history.js'

test('fileStates gives the same as fileStateAt, with one entry for all names of a file', () => {
  const { messages } = new History()
    .user()
    .use('write_file', { path: '/repo/src/a.ts', content: 'one\n' }, 'written')
    .use('read_file', { path: 'src/b.ts' }, 'b\n')
    .use('edit_file', { path: 'src/a.ts', old_string: 'one', new_string: 'two' }, 'changed')
    .use('bash', { command: 'make' }, 'ok')
    .use('read_file', { path: '/other/b.ts' }, 'another\n')
    .user()
  const states = fileStates(messages)
  expect(states.map(({ path, certainty }) => [path, certainty])).toEqual([
    ['/repo/src/a.ts', 'assumed'],
    ['src/b.ts', 'assumed'],
    ['/other/b.ts', 'assumed'],
  ])
  expect(states).toEqual(states.map(({ path }) => fileStateAt(messages, path)))
})

test('a relative path that matches two absolute paths is a separate file', () => {
  const { messages } = new History()
    .use('read_file', { path: '/one/a.ts' }, 'one\n')
    .use('read_file', { path: '/two/a.ts' }, 'two\n')
    .use('write_file', { path: 'a.ts', content: 'three\n' }, 'written')
  expect(fileStates(messages).map(({ content }) => content)).toEqual(['one\n', 'two\n', 'three\n'])
})

test('content written with CRLF agrees with a numbered read', () => {
  const { messages } = new History()
    .use('write_file', { path: 'a.txt', content: 'one\r\ntwo\r\n' }, 'written')
    .use(
      'read_file',
      { path: 'a.txt', limit: 1 },
      '=== a.txt ===\n     1\tone\n[Showing lines 1-1 of 2 total lines]',
    )
  expect(fileStateAt(messages, 'a.txt')).toMatchObject({ certainty: 'exact', content: 'one\r\ntwo\r\n' })
})

test('fileStates takes linear time for thousands of files in one answer', () => {
  const calls = Array.from({ length: 3000 }, (_, i) => ({
    id: `c${i}`,
    type: 'function',
    function: {
      name: 'write_file',
      arguments: JSON.stringify({ path: `/repo/src/f${i}.ts`, content: 'x\n', intent: `part ${i}` }),
    },
  }))
  const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'written' }))
  const messages = [{ role: 'assistant', content: null, tool_calls: calls }, ...results]
  const start = performance.now()
  expect(fileStates(messages)).toHaveLength(calls.length)
  expect(changelog(messages).split('\n')).toHaveLength(calls.length)
  expect(compressEdits(messages, { path: '/repo/src/f7.ts' })).toContain('1 change')
  // Comparing each file with each call would take many times as long; the limit allows for other load.
  expect(performance.now() - start).toBeLessThan(10_000)
})
