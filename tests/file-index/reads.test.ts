import { convertMessages } from 'trimtab/formats'
import { createIndex, type IndexFile } from 'trimtab/index'
import { createFileReader, readFile } from 'trimtab/reading'
import { fileStateAt, indexReads } from 'trimtab/timeline'
import { addToolResults, createTools, openToolCalls, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'

const lines = (word: string, count = 150) =>
  Array.from({ length: count }, (_, i) => `def ${word}_${i}(value):\n    return value + ${i}\n`).join('\n')
const FILES = {
  'src/ports.py': lines('listen'),
  'src/notes.py': lines('evict', 20),
  'secret.env': 'TOKEN=swordfish\n',
  'data.bin': Uint8Array.from([0, 1, 2]),
  'large.csv': 'a,b,c\n'.repeat(200_000),
}

type Calls = [name: string, args: object][]

/** An index that records the paths of the added files. */
function counting() {
  const index = createIndex()
  const added: string[] = []
  const given = {
    add: (file: IndexFile) => {
      added.push(file.path)
      return index.add(file)
    },
    has: (path: string) => index.has(path),
    remove: (path: string) => index.remove(path),
  }
  return { index, added, given }
}

/** Runs an agent whose model makes the given calls, step by step, and returns the results of every step. */
async function agent(steps: Calls[], options: Parameters<typeof createTools>[1] = {}, files = FILES) {
  const workspace = createWorkspace({ memory: files })
  const tools = createTools(workspace, options)
  let history: object[] = [{ role: 'user', content: 'Go on' }]
  const results = []
  for (const [step, calls] of steps.entries()) {
    const tool_calls = calls.map(([name, args], i) => ({
      id: `c${step}_${i}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }))
    history.push({ role: 'assistant', content: 'Now:', tool_calls })
    const open = openToolCalls(history, { format: 'openai-chat' })
    const answers = []
    for (const call of open) answers.push({ call, result: await runToolCall(tools, call) })
    history = addToolResults(history, answers, { format: 'openai-chat' })
    results.push(answers.map(({ result }) => result))
  }
  return { history, results, workspace, tools }
}

const read = (path: string, more: object = {}): Calls[number] => [
  'read_file',
  { file_paths: [path], ...more },
]

describe('createTools with an index', () => {
  test('indexes the whole file of every read, also of slices', async () => {
    const { index } = counting()
    await agent(
      [[read('src/ports.py', { limit: 2 }), ['read_lines', { path: './src//notes.py', start: 3, end: 4 }]]],
      { index },
    )
    expect(index.paths()).toEqual(['src/ports.py', 'src/notes.py'])
    expect(index.content('src/ports.py')).toBe(FILES['src/ports.py'])
    expect(index.query('evict_13')[0]).toMatchObject({ path: 'src/notes.py' })
  })

  test('does not index an unchanged file again', async () => {
    const { added, given } = counting()
    await agent([[read('src/ports.py')], [read('src/ports.py', { offset: 9, limit: 2 })]], { index: given })
    expect(added).toEqual(['src/ports.py'])
  })

  test('never indexes files of ephemeral reads, also when they are edited', async () => {
    const { index } = counting()
    const edit: Calls[number] = ['edit_file', { path: 'secret.env', old_string: 'TOKEN', new_string: 'KEY' }]
    const { results } = await agent([[read('secret.env', { ephemeral: true })], [edit]], { index })
    expect(results.flat().map(({ isError }) => isError)).toEqual([false, false])
    expect(index.paths()).toEqual([])
    expect(index.query('swordfish')).toEqual([])
  })

  test('updates the index on writes and edits, and removes missing files from it', async () => {
    const { index } = counting()
    const { tools, workspace } = await agent(
      [
        [read('src/notes.py')],
        [['edit_file', { path: 'src/notes.py', old_string: 'evict_7(', new_string: 'expire_7(' }]],
        [['write_file', { path: 'new.py', content: 'def brand_new():\n    pass\n' }]],
        [['append_to_file', { path: 'log.md', content: 'A first entry\n' }]],
      ],
      { index },
    )
    expect(index.content('src/notes.py')).toBe(FILES['src/notes.py'].replace('evict_7(', 'expire_7('))
    expect(index.query('expire_7')[0]).toMatchObject({ path: 'src/notes.py' })
    expect(index.paths()).toEqual(['src/notes.py', 'new.py', 'log.md'])
    await workspace.remove('new.py')
    await workspace.remove('log.md')
    const [name, args] = read('./new.py')
    expect(await runToolCall(tools, { name, arguments: JSON.stringify(args) })).toMatchObject({
      isError: true,
    })
    const edit = { path: 'log.md', old_string: 'A', new_string: 'B' }
    await runToolCall(tools, { name: 'edit_file', arguments: JSON.stringify(edit) })
    expect(index.paths()).toEqual(['src/notes.py'])
  })

  test('does not index a refused read', async () => {
    const { index } = counting()
    const { results } = await agent([[read('large.csv')]], { index })
    expect(results[0]?.[0]).toMatchObject({ isError: true })
    expect(index.paths()).toEqual([])
  })

  test('reports files that cannot be indexed and still reads them', async () => {
    const { index } = counting()
    index.add({ path: 'large.csv', content: 'what it was once' })
    const { results } = await agent([[read('large.csv', { limit: 1 })], [read('data.bin')]], { index })
    expect(results.flat().map(({ isError, notIndexed }) => [isError, notIndexed])).toEqual([
      [false, [{ path: 'large.csv', reason: 'too_large', message: 'it is larger than 1048576 bytes' }]],
      [false, [{ path: 'data.bin', reason: 'binary', message: 'it is binary (unknown type)' }]],
    ])
    expect(index.paths()).toEqual([])
  })

  test.each([
    ['throws', () => fail()],
    ['rejects', () => Promise.reject(new Error('out of order'))],
  ])('works with an index that %s', async (_, broken) => {
    const index = { add: broken, has: () => fail(), remove: broken }
    const { results } = await agent(
      [
        [read('src/notes.py', { limit: 1 })],
        [['write_file', { path: 'b.py', content: 'x' }], read('no.py')],
        [['edit_file', { path: 'b.py', old_string: 'x', new_string: 'y' }]],
      ],
      { index },
    )
    const failure = (path: string) => [{ path, reason: 'failed', message: 'out of order' }]
    expect(results.flat().map(({ isError, notIndexed }) => [isError, notIndexed])).toEqual([
      [false, failure('src/notes.py')],
      [false, failure('b.py')],
      [true, undefined],
      [false, undefined],
    ])
  })

  test('adds sections of views, and later reads keep them', async () => {
    const { index } = counting()
    await agent([[read('src/ports.py')], [read('src/ports.py', { limit: 1 })]], {
      index,
      reader: createFileReader(),
    })
    expect(index.sections('src/ports.py')).toHaveLength(150)
    expect(index.query('listen_77')[0]?.name).toMatch(/^listen_7\d$/)
  })

  test('refuses an invalid index', () => {
    const workspace = createWorkspace({ memory: {} })
    expect(() => createTools(workspace, { index: {} as never })).toThrow(
      'index must be an index with add, has and remove: createIndex() of trimtab/index',
    )
  })
})

function fail(): never {
  throw new Error('out of order')
}

describe('readFile with an index', () => {
  const file = { path: 'ports.py', content: FILES['src/ports.py'] }

  test('indexes the whole file with its sections, whatever it shows', async () => {
    const index = createIndex()
    const view = await readFile({ ...file, index, cache: new Map() })
    expect(view.preservedLines).toBeLessThan(view.totalLines)
    expect(index.content('ports.py')).toBe(file.content)
    expect(index.sections('ports.py')).toEqual(view.sections)
    expect(view.notIndexed).toBeUndefined()
  })

  test('does not index ephemeral reads', async () => {
    const index = createIndex()
    await readFile({ ...file, index, ephemeral: true })
    expect(index.size).toBe(0)
  })

  test('reports an index failure in the view and as an event, and does not cache it', async () => {
    const cache = new Map()
    const events: string[] = []
    const index = { add: fail, has: () => false, remove: fail }
    const onEvent = (event: { kind: string; text?: string }) => events.push(event.text ?? event.kind)
    const view = await readFile({ ...file, index, cache, onEvent })
    expect(view.notIndexed).toEqual({ path: 'ports.py', reason: 'failed', message: 'out of order' })
    expect(events).toContain('Not indexed: out of order')
    const again = await readFile({ ...file, index: createIndex(), cache })
    expect([again.cached, again.notIndexed]).toEqual([true, undefined])
  })
})

describe('indexReads', () => {
  const steps: Calls[] = [
    [read('src/notes.py', { limit: 0 }), ['read_lines', { path: 'src/ports.py', start: 10, end: 15 }]],
    [read('secret.env', { ephemeral: true })],
    [['edit_file', { path: 'src/notes.py', old_string: 'evict_7(', new_string: 'expire_7(' }]],
    [['write_file', { path: 'new.py', content: 'def brand_new():\n    pass\n' }]],
  ]

  test.each(FORMATS)('fills an index from a history in %s', async (format) => {
    const { history } = await agent(steps)
    const { messages } = convertMessages(history, format, { format: 'openai-chat' })
    const index = createIndex()
    // Conversion loses the mark of ephemeral results; the next test covers it.
    const indexed = await indexReads(index, messages, { format })
    const [notes, ports] = indexed
    expect(notes).toMatchObject({ path: 'src/notes.py', knownLines: 59 })
    expect(ports).toEqual({ path: 'src/ports.py', certainty: 'partial', knownLines: 6 })
    expect(index.content('src/notes.py')?.trimEnd()).toBe(
      FILES['src/notes.py'].replace('evict_7(', 'expire_7(').trimEnd(),
    )
    const own = FILES['src/ports.py'].split('\n')
    expect(index.lines('src/ports.py')).toEqual(own.slice(0, 15).map((line, i) => (i < 9 ? '' : line)))
    expect(index.query('brand_new')[0]).toMatchObject({ path: 'new.py', startLine: 1 })
  })

  test('leaves ephemeral results out', async () => {
    const { history } = await agent(steps)
    expect(JSON.stringify(history)).toContain('swordfish')
    const index = createIndex()
    const indexed = await indexReads(index, history)
    expect(indexed.map(({ path }) => path)).toEqual(['src/notes.py', 'src/ports.py', 'new.py'])
    expect(index.query('swordfish')).toEqual([])
  })

  test('updates the index from a longer history', async () => {
    const { history } = await agent(steps)
    const { given, index } = counting()
    await indexReads(given, history.slice(0, 4))
    expect(index.content('src/notes.py')).toContain('evict_7(')
    index.add({ path: 'src/ports.py', content: index.content('src/ports.py') ?? '', sections: [] })
    await indexReads(given, history)
    expect(index.content('src/notes.py')).toContain('expire_7(')
    expect(index.content('src/notes.py')?.trimEnd()).toBe(
      fileStateAt(history, 'src/notes.py').content?.trimEnd(),
    )
  })

  test('does not build a file that consists of gaps', async () => {
    const call = { name: 'read_lines', arguments: '{"path":"a.txt","start":4000000000,"end":4000000001}' }
    const history = [
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content: '4000000000\tone\n4000000001\ttwo' },
    ]
    const [only] = await indexReads(createIndex(), history)
    expect(only?.notIndexed?.reason).toBe('too_large')
  })

  test('reports files that the index fails to add', async () => {
    const { history } = await agent([steps[3] as Calls])
    const index = { add: fail, has: () => false, remove: fail }
    const [only] = await indexReads(index, history)
    expect(only?.notIndexed).toEqual({ path: 'new.py', reason: 'failed', message: 'out of order' })
  })
})
