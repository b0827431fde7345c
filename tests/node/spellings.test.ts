import { Context, cacheAware, loadPolicy, project } from 'trimtab'
import { fileEdits, fileStateAt } from 'trimtab/timeline'
import { describe, expect, test } from 'vitest'

type Message = Record<string, unknown>
const call = (id: string, name: string, args: object | string): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [
    {
      id,
      type: 'function',
      function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    },
  ],
})
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content })
const used = (id: string, name: string, args: object | string, content: string) => [
  call(id, name, args),
  result(id, content),
]
const start: Message = { role: 'user', content: 'go' }
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `line ${from + i} of the file`).join('\n')

describe('the lines that a read asks for', () => {
  test.each([
    '{"path":"a.ts","offset":101.0,"limit":100.0}',
    '{"path":"a.ts","offset":1.01e2,"limit":100}',
    '{"path":"a.ts","view_range":"[101, 200]"}',
    '{"path":"a.ts","line_range":"101-200"}',
    '{"path":"a.ts","offset":"many","limit":100}',
    '{"path":"a.ts","offset":10.5,"limit":100}',
  ])('%s does not show lines 1 to 100', (args) => {
    const history = [
      start,
      ...used('a', 'read_file', { path: 'a.ts', limit: 100 }, lines(1, 100)),
      ...used('b', 'read_file', args, lines(101, 100)),
    ]
    const { messages } = project(history, { reads: { superseded: 'clear' }, recall: true })
    expect(messages).toEqual(history)
    expect(fileStateAt(history, 'a.ts').certainty).not.toBe('exact')
  })
})

describe('a half of a surrogate pair in arguments', () => {
  test('hides no protected file', () => {
    const history = [
      start,
      ...used('a', 'read_file', { path: 'keep.md', note: '\ud800' }, lines(1, 50)),
      ...used('b', 'bash', { command: 'ls' }, lines(1, 50)),
      ...used('c', 'bash', { command: 'ls' }, lines(1, 50)),
    ]
    const policy = {
      clear: {
        trigger: { type: 'tool_uses' as const, value: 2 },
        keep: { type: 'tool_uses' as const, value: 1 },
      },
      protect: { paths: ['keep.md'] },
    }
    expect(project(history, policy).messages[2]).toBe(history[2])
    expect(project(history, policy).messages[4]).not.toBe(history[4])
  })

  test('hides no write between two reads', () => {
    const read = (id: string) => used(id, 'read_file', { path: 'a.ts' }, lines(1, 50))
    const write = used('w', 'write_file', { path: 'a.ts', content: 'two\ud83d\n' }, 'Written: a.ts')
    const history = [start, ...read('a'), ...write, ...read('b')]
    expect(project(history, { dedupe: true }).messages).toEqual(history)
    expect(fileEdits(history)).toHaveLength(1)
  })
})

test.each([
  ['c:/x/a.ts', 'c:/x/**'],
  ['C:\\x\\a.ts', 'c:\\x\\*.ts'],
  ['file:///w/a.ts', 'file:///w/**'],
  ['src/lib/../a.ts', 'src/lib/../a.ts'],
  ['././docs/a.md', '././docs/*.md'],
  ['src\\a.ts', 'src/*.ts'],
])('protect.paths keeps %s by %s', (path, glob) => {
  const history = [start, ...used('a', 'read_file', { path }, lines(1, 200)), ...used('b', 'ls', {}, 'x')]
  const policy = { clear: { trigger: { type: 'tool_uses' as const, value: 0 } } }
  const clears = { ...policy, clear: { ...policy.clear, keep: { type: 'tool_uses' as const, value: 0 } } }
  expect(project(history, clears).messages[2]).not.toBe(history[2])
  expect(project(history, { ...clears, protect: { paths: [glob] } }).messages[2]).toBe(history[2])
})

test.each(['[a', '{a,b', '[z-a]', 'a\\'])('the glob %s is refused', (glob) => {
  expect(() => project([start], { protect: { paths: ['*.ts', glob] } })).toThrow(
    expect.objectContaining({ code: 'invalid_policy', message: expect.stringContaining('protect.paths.1') }),
  )
})

test.each([{ edits: {} }, { edits: 'x' }, 7, [], null])('context_management %j is refused', (settings) => {
  expect(() => loadPolicy({ context_management: settings })).toThrow(
    expect.objectContaining({ code: 'invalid_policy' }),
  )
})

test('a request that is made again is the same', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const history = [start]
    let random = seed
    const next = (below: number) => {
      random = (random * 48271) % 2147483647
      return random % below
    }
    const context = new Context(cacheAware())
    for (let step = 0; step < 12; step++) {
      const content = 'warning: unused\n'.repeat(1 + next(200))
      history.push(...used(`${step}`, next(2) ? 'bash' : 'read_file', { path: `f${next(4)}` }, content))
      const first = context.project(history)
      const again = context.project(history)
      expect(again.messages).toEqual(first.messages)
    }
  }
})
