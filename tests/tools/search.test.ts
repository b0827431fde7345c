import { createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { expect, test } from 'vitest'
import { setUp } from './set-up.js'

test('search finds text in every encoding, with any line ending and far into a line', async () => {
  const utf16 = new Uint8Array(
    new Uint16Array([0xfeff, ...[...'a\nüb\n'].map((c) => c.charCodeAt(0))]).buffer,
  )
  const files = {
    'far.js': `${'x'.repeat(5000)}needle${'y'.repeat(5000)}\n`,
    'mac.txt': 'one\rneedle\rthree',
    'utf16.txt': utf16,
    'many.txt': `${'needle '.repeat(3)}\n`.repeat(5),
  }
  const tools = createTools(createWorkspace({ memory: files }))
  const run = async (args: object) =>
    (await runToolCall(tools, { name: 'search', arguments: JSON.stringify(args) })).content
  expect(await run({ pattern: 'üb' })).toBe('utf16.txt:2: üb')
  expect(await run({ pattern: 'needle', path: 'mac.txt' })).toBe('mac.txt:2: needle')
  expect(await run({ pattern: 'needle$', regex: true, path: 'mac.txt' })).toBe('mac.txt:2: needle')
  const far = await run({ pattern: 'needle', path: 'far.js' })
  expect(far).toMatch(/^far\.js:1: x{100}needley{194} \[columns 4901-5200 of 10006\]$/)
  expect(await run({ pattern: 'needle', path: 'many.txt', limit: 2 })).toBe(
    `${['many.txt:1', 'many.txt:2'].map((place) => `${place}: needle needle needle `).join('\n')}\n[2 of 5 matches in 1 files shown: narrow it by path, glob or pattern]`,
  )
})

test.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '.*.*.*x', '^(a?){50}a{50}$', 'a*a*a*b'])(
  'search for %s ends on lines that hang a backtracking engine',
  async (pattern) => {
    const tools = createTools(createWorkspace({ memory: { f: `${'a'.repeat(1000)}!\n`.repeat(100) } }))
    const call = { name: 'search', arguments: JSON.stringify({ pattern: `${pattern}b`, regex: true }) }
    expect(await runToolCall(tools, call)).toMatchObject({ content: 'No matches.', isError: false })
  },
)

test('a search during a read leaves the file marked as read', async () => {
  const { run } = setUp()
  await Promise.all([
    run('search', { pattern: 'one' }),
    run('read_file', { file_paths: ['a.txt'] }),
    run('search', { pattern: 'two' }),
  ])
  expect((await run('write_file', { path: 'a.txt', content: 'x' })).content).toBe('Written: a.txt (1 bytes)')
})

test('a line that an expression takes too long for is not searched, and a note says so', async () => {
  const memory = { 'one.txt': `${'a'.repeat(1_000_000)}\nab\n`, 'two.txt': 'ab\n' }
  const { content } = await runToolCall(createTools(createWorkspace({ memory })), {
    name: 'search',
    arguments: JSON.stringify({ pattern: 'a{1,400}b', regex: true }),
  })
  expect(content).toContain('one.txt:2: ab\ntwo.txt:1: ab\n')
  expect(content).toContain('[Not searched, as matching takes too long: 1 line of one.txt. Simplify')
})

test('shows matches also within few tokens', async () => {
  const workspace = createWorkspace({ memory: { 'a.txt': 'needle\n' } })
  const search = createTools(workspace, { limits: { contextSize: 4096 } }).find(
    ({ name }) => name === 'search',
  )
  expect((await search?.execute({ pattern: 'needle' }))?.content).toBe('a.txt:1: needle')
})
