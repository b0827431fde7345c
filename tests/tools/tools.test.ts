import fc from 'fast-check'
import { Context, loadPolicy } from 'trimtab'
import { createFileReader } from 'trimtab/reading'
import { processToolResult } from 'trimtab/recipes'
import { createReadTool, createTools, runToolCall, type Tool } from 'trimtab/tools'
import { createWorkspace, type Workspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { contentOf, FILES, setUp } from './set-up.js'

const IGNORED = '[Not entered: node_modules. To look into one, name it as path]'

/** A call, and the content that the model reads. */
const cases: [what: string, name: string, args: object, content: string][] = [
  [
    'a whole file',
    'read_file',
    { file_paths: ['a.txt'] },
    '=== a.txt ===\n     1\tone\n     2\ttwo\n     3\tthree',
  ],
  [
    'a slice',
    'read_file',
    { file_paths: ['a.txt'], offset: 2, limit: 1 },
    '=== a.txt ===\n[Showing lines 2-2 of 3 total lines]\n     2\ttwo',
  ],
  [
    'an offset after the end',
    'read_file',
    { file_paths: ['a.txt'], offset: 10, limit: 2 },
    '=== a.txt ===\n[Cannot read from offset 10: file only has 3 lines. Use offset=1 to start from the beginning, or offset=2 to read the last 2 lines.]',
  ],
  [
    'an existing and a missing file',
    'read_file',
    { file_paths: ['no.txt', 'a.txt'], limit: 1 },
    '=== no.txt ===\nError: there is no such file\n\n=== a.txt ===\n[Showing lines 1-1 of 3 total lines]\n     1\tone',
  ],
  [
    'a range of lines',
    'read_lines',
    { path: 'a.txt', start: 2, end: 3 },
    '=== a.txt ===\n[Showing lines 2-3 of 3 total lines]\n     2\ttwo\n     3\tthree',
  ],
  [
    'a new file',
    'write_file',
    { path: 'new/b.txt', content: 'x'.repeat(1234) },
    'Written: new/b.txt (1,234 bytes)',
  ],
  [
    'an edit',
    'edit_file',
    {
      path: 'workspace.md',
      old_string: 'Status: Initializing',
      new_string: 'Status: Phase 2 complete',
      intent: 'go',
    },
    'Edited workspace.md: replaced 20 chars with 24 chars',
  ],
  ['an append', 'append_to_file', { path: 'a.txt', content: 'four\n' }, 'Appended 5 chars to a.txt'],
  [
    'an append that creates the file',
    'append_to_file',
    { path: 'n.txt', content: 'x' },
    'Appended 1 chars to n.txt',
  ],
  ['a prepend', 'prepend_to_file', { path: 'a.txt', content: 'zero\n' }, 'Prepended 5 chars to a.txt'],
  ['a folder', 'list_files', {}, 'a.txt\nlogo.png\nnode_modules/\nsrc/\nworkspace.md'],
  ['a tree', 'list_files', { path: 'src', recursive: true }, 'src/app.ts\nsrc/deep/\nsrc/deep/util.ts'],
  ['files by glob', 'list_files', { glob: '*.ts' }, 'src/app.ts\nsrc/deep/util.ts'],
  ['a limited listing', 'list_files', { limit: 1 }, 'a.txt\n[1 of 5 shown: name a folder or a glob]'],
  ['a glob without a match', 'list_files', { glob: '*.rs' }, `No file matches *.rs.\n${IGNORED}`],
  ['a search for a text', 'search', { pattern: 'a + 1' }, 'src/app.ts:2: const b = a + 1'],
  [
    'a search for an expression',
    'search',
    { pattern: '^(export )?const [aA] ', regex: true },
    'src/app.ts:1: const a = 1\nsrc/deep/util.ts:1: export const A = 1',
  ],
  [
    'a search in one file',
    'search',
    { pattern: 'T', ignore_case: true, path: 'a.txt' },
    'a.txt:2: two\na.txt:3: three',
  ],
  [
    'a limited search',
    'search',
    { pattern: '= 1', limit: 1 },
    'src/app.ts:1: const a = 1\n[1 of 2 matches in 2 files shown: narrow it by path, glob or pattern]',
  ],
  ['a search without matches', 'search', { pattern: 'zebra' }, `No matches.\n${IGNORED}`],
  ['a search without matches in a folder', 'search', { pattern: 'zebra', path: 'src' }, 'No matches.'],
  [
    'a search for an expression that hangs a backtracking engine',
    'search',
    { pattern: '^(.*)*(t+|t)+$x', regex: true },
    `No matches.\n${IGNORED}`,
  ],
  [
    'a search in an ignored folder that is named',
    'search',
    { pattern: '1', path: 'node_modules' },
    'node_modules/x/index.js:1: const a = 1',
  ],
  [
    'line numbers as text',
    'read_lines',
    { path: 'a.txt', start: '1', end: '1' },
    '=== a.txt ===\n[Showing lines 1-1 of 3 total lines]\n     1\tone',
  ],
]

test.each(cases)('a tool call succeeds: %s', async (_, name, args, content) => {
  expect(await setUp().run(name, args)).toMatchObject({ content, isError: false, ephemeral: false })
})

test('read_file reports an empty file and a missing one', async () => {
  const { run, workspace } = setUp()
  await workspace.writeFile('empty', '')
  const { content } = await run('read_file', { file_paths: ['empty', 'gone'] })
  expect(content).toBe(
    '=== empty ===\n[File is empty: it has 0 lines.]\n\n=== gone ===\nError: there is no such file',
  )
  const { content: failure } = await run('read_file', { file_paths: ['gone'] })
  expect(failure).toBe('Error: Failed to read 1 file: gone: there is no such file')
})

const failures: [what: string, name: string, args: unknown, content: RegExp][] = [
  [
    'a search for two lines',
    'search',
    { pattern: 'one\ntwo' },
    /^Error: pattern has a line feed, and each line is searched by itself: look for one line of it$/,
  ],
  [
    'no paths',
    'read_file',
    {},
    /^Error: file_paths must be a non-empty array\nExample: read_file\(file_paths=\["src\/main\.ts", "package\.json"\]\)$/,
  ],
  [
    'only missing files',
    'read_file',
    { file_paths: ['x', 'y'] },
    /^Error: Failed to read 2 files: x: .*, y: /,
  ],
  ['a folder to read', 'read_file', { file_paths: ['src'] }, /it is a folder: use list_files/],
  [
    'lines of a folder',
    'read_lines',
    { path: 'src', start: 1, end: 2 },
    /^Error: src: it is a folder: use list_files$/,
  ],
  ['a path that leads out', 'read_file', { file_paths: ['../secret'] }, /`\.\.` is not allowed/],
  [
    'lines of a missing file',
    'read_lines',
    { path: 'no', start: 1, end: 2 },
    /^Error: no: there is no such file\. Use list_files/,
  ],
  [
    'a range that ends before it starts',
    'read_lines',
    { path: 'a.txt', start: 3, end: 2 },
    /^Error: end \(2\) is before start \(3\)$/,
  ],
  [
    'an edit without a match',
    'edit_file',
    { path: 'a.txt', old_string: 'nine', new_string: 'x' },
    /^Error: old_string not found in a\.txt/,
  ],
  [
    'an edit with several matches',
    'edit_file',
    { path: 'a.txt', old_string: 't', new_string: 'x' },
    /^Error: old_string appears multiple times in a\.txt\. Be more specific\./,
  ],
  [
    'an edit of a missing file',
    'edit_file',
    { path: 'no', old_string: 'a', new_string: 'b' },
    /^Error: no: there is no such file/,
  ],
  [
    'a missing argument',
    'edit_file',
    { path: 'a.txt', old_text: 'one' },
    /^Error: edit_file needs old_string\. Usage: edit_file\(path, old_string, new_string, replace_all\?, intent\?\)$/,
  ],
  [
    'a wrong type',
    'write_file',
    { path: 'a.txt', content: { a: 1 } },
    /^Error: content must be a text, found \{"a":1\}$/,
  ],
  [
    'a missing section',
    'update_section',
    { path: 'workspace.md', header: 'Plan', content: 'x' },
    /^Error: section "Plan" not found in workspace\.md/,
  ],
  [
    'an invalid expression',
    'search',
    { pattern: '(', regex: true },
    /^Error: pattern is not a regular expression/,
  ],
  ['an absolute path', 'write_file', { path: '/etc/passwd', content: '' }, /it is absolute/],
  ['a lone surrogate', 'write_file', { path: 'a.txt', content: '\ud800' }, /half of a surrogate pair/],
  [
    'a lone surrogate to find',
    'edit_file',
    { path: 'a.txt', old_string: 'one\ud83d', new_string: 'x' },
    /half of a surrogate pair/,
  ],
  [
    'a lone surrogate to write instead',
    'edit_file',
    { path: 'a.txt', old_string: 'one', new_string: '\ud83d' },
    /half of a surrogate pair/,
  ],
  [
    'an unknown tool',
    'fly',
    {},
    /^Error: there is no tool "fly"\. The tools are: read_file, read_lines, write_file, /,
  ],
  [
    'arguments that are not an object',
    'list_files',
    [1],
    /^Error: the arguments of list_files must be a JSON object\. Usage: list_files\(path\?, /,
  ],
]

test.each(failures)('a tool call fails with a message: %s', async (_, name, args, content) => {
  const { run, workspace } = setUp()
  const result = await run(name, args as object)
  expect(result).toMatchObject({ isError: true, ephemeral: false })
  expect(result.content).toMatch(content)
  for (const [path, before] of Object.entries(FILES))
    if (typeof before === 'string') expect(await contentOf(workspace, path)).toBe(before)
})

test('runToolCall answers arguments that are not JSON with an error', async () => {
  const { tools } = setUp()
  const result = await runToolCall(tools, { name: 'read_file', arguments: '{"file_paths": [' })
  expect(result.content).toMatch(/^Error: the arguments of read_file must be a JSON object/)
})

test('edit tools change exactly the named parts', async () => {
  const { run, workspace } = setUp()
  await run('edit_file', { path: 'a.txt', old_string: 't', new_string: '$&', replace_all: true })
  await run('prepend_to_file', { path: 'a.txt', content: 'zero\n' })
  await run('append_to_file', { path: 'a.txt', content: 'end' })
  expect(await contentOf(workspace, 'a.txt')).toBe('zero\none\n$&wo\n$&hree\nend')
  await run('update_section', { path: 'workspace.md', header: '## Current State', content: 'Phase: 2' })
  expect(await contentOf(workspace, 'workspace.md')).toBe(
    '# Workspace\n\n## Current State\n\nPhase: 2\n\n## Notes\n\nnone\n',
  )
})

describe('the warning of write_file about an unread file', () => {
  const overwrite = { path: 'a.txt', content: 'new' }
  const warning = /Warning: a\.txt was not read before and has been overwritten/

  test.each([
    ['no other call', undefined],
    ['a search', ['search', { pattern: 'one' }]],
    ['an edit', ['edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' }]],
    ['a listing', ['list_files', {}]],
    ['a read that was refused', ['read_file', { file_paths: ['a.txt'] }]],
  ] as [string, [string, object] | undefined][])('is given after %s', async (what, before) => {
    const { run } = setUp(what.includes('refused') ? { limits: { contextSize: 10 } } : {})
    if (before !== undefined) await run(...before)
    expect((await run('write_file', overwrite)).content).toMatch(warning)
  })

  test('is not given after a read, also if an edit followed', async () => {
    const { run } = setUp()
    await run('read_file', { file_paths: ['a.txt'] })
    await run('edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' })
    expect((await run('write_file', overwrite)).content).toBe('Written: a.txt (3 bytes)')
  })
})

test('an edit that conflicts with another writer is repeated on the new content', async () => {
  const { workspace, run } = setUp()
  const write = workspace.writeFile.bind(workspace)
  let others = 2
  workspace.writeFile = async (path, content, options) => {
    if (others-- > 0) await write('a.txt', `${others}\n${await contentOf(workspace, 'a.txt')}`)
    return write(path, content, options)
  }
  expect(await run('append_to_file', { path: 'a.txt', content: 'mine\n' })).toMatchObject({ isError: false })
  expect(await contentOf(workspace, 'a.txt')).toBe('0\n1\none\ntwo\nthree\nmine\n')
})

test.each([
  ['the answer is 42\n'.repeat(200)],
  [`Error: disk 3 is full\n${'log line\n'.repeat(200)}`],
  [`Error: "x" cannot be recalled\n${'log line\n'.repeat(200)}`],
])('the recall tool returns cleared results and reports unknown references', async (text) => {
  const history = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: text },
    ...Array.from({ length: 3 }, () => ({ role: 'assistant', content: 'hm' })),
  ]
  const age = { maxToolOutputAge: 1, preserveRecentFiles: false }
  const context = new Context({ age, protect: { failureTokens: 0 }, recall: true })
  const { messages } = context.project(history)
  const { run, tools } = setUp({ context })
  const stub = (messages[2] as { content: string }).content
  const reference = /recall ([0-9a-f]{8})/.exec(stub)?.[1]
  expect(tools.at(-1)?.name).toBe('recall')
  expect(await run('recall', { reference })).toEqual({ content: text, isError: false, ephemeral: false })
  expect(await run('recall', { reference: 'ffffffff' })).toMatchObject({ isError: true })
  // A context in another thread may have only its answers.
  const far = setUp({ context: { answerRecall: async (args: unknown) => context.answerRecall(args) } })
  expect(await far.run('recall', { reference })).toMatchObject({ content: text })
  expect(await far.run('recall', { reference: 'ffffffff' })).toMatchObject({ isError: true })
  expect(setUp().tools.map(({ name }) => name)).not.toContain('recall')
  // A Context passed as the options is refused.
  expect(() => createTools(createWorkspace({ memory: {} }), context as never)).toThrow(/createTools/)
})

test('tool parameters are JSON Schema objects that declare their required names', () => {
  for (const { description, name, parameters } of setUp().tools) {
    const { properties, required } = parameters as { properties: object; required: string[] }
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(required))
    expect(JSON.parse(JSON.stringify(parameters))).toEqual(parameters)
    expect(name).toMatch(/^[a-z_]+$/)
    expect(description.length).toBeGreaterThan(40)
  }
})

test('every tool answers any input with a text', async () => {
  const { tools } = setUp()
  const names = tools.map(({ name }) => name)
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      'a.txt',
      'src',
      '../x',
      '',
      0,
      -1,
      3,
      1e9,
      1.5,
      true,
      null,
      ['a.txt'],
      ['a.txt', 7],
      {},
    ),
    fc.jsonValue(),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const keys = [
    'path',
    'file_paths',
    'offset',
    'limit',
    'ephemeral',
    'start',
    'end',
    'content',
    'old_string',
    'new_string',
  ]
  const more = [
    'replace_all',
    'header',
    'pattern',
    'regex',
    'glob',
    'recursive',
    'ignore_case',
    'intent',
    '__proto__',
  ]
  const args = fc.oneof(fc.dictionary(fc.constantFrom(...keys, ...more), value), fc.jsonValue(), fc.string())
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, async (name, given) => {
      const tool = tools.find((each) => each.name === name) as Tool
      const result = await tool.execute(given)
      expect(typeof result.content).toBe('string')
      expect(result.content).not.toBe('')
      if (result.isError) expect(result.content).toMatch(/^Error: /)
    }),
    runs,
  )
})

test('invalid arguments of the host throw', () => {
  expect(() => createTools({} as Workspace)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  expect(() => createReadTool({} as Workspace)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  const { workspace } = setUp()
  for (const limits of [
    { contextSize: -1 },
    { contextSize: 9, readMax: 1 },
    { contextSize: 9, ephemeralReadMaxPercent: 90 },
  ])
    expect(
      () => createReadTool(workspace, { limits: limits as { contextSize: number } }),
      JSON.stringify(limits),
    ).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

test('tools accept argument names of the documents and of other tools', async () => {
  const { run } = setUp()
  const answer = async (name: string, args: object) => (await run(name, args)).content
  const edit = { file_path: 'a.txt', old_str: 'two', new_str: '2' }
  expect(await answer('edit_file', edit)).toBe('Edited a.txt: replaced 3 chars with 1 chars')
  const section = { path: 'workspace.md', section_header: '## Notes', new_content: 'newer' }
  expect(await answer('update_section', section)).toMatch(/^Updated section "Notes" of workspace.md/)
  for (const args of [{ path: 'a.txt' }, { file_path: 'a.txt' }, { paths: ['a.txt'] }])
    expect(await answer('read_file', args)).toBe('=== a.txt ===\n     1\tone\n     2\t2\n     3\tthree')
  // The tool's own parameter name has precedence.
  expect(await answer('edit_file', { ...edit, old_string: 'three', new_string: '3' })).toContain('5 chars')
})

test('processToolResult accepts results of tools', async () => {
  const { run } = setUp()
  const toolCall = { id: 'a', type: 'function' as const, function: { name: 'read_file', arguments: '{}' } }
  const read = await run('read_file', { file_paths: ['a.txt'], ephemeral: true })
  expect(processToolResult({ toolCall, result: read })).toEqual({
    role: 'tool',
    tool_call_id: 'a',
    name: 'read_file',
    content: read.content,
    metadata: { ephemeral: true },
  })
  expect(read.content.split('EPHEMERAL READ')).toHaveLength(2)
  const failure = await run('read_file', { file_paths: ['none'] })
  const blocks = { content: [expect.objectContaining({ content: failure.content, is_error: true })] }
  expect(processToolResult({ toolCall, result: failure, format: 'anthropic' })).toMatchObject(blocks)
})

test('an error stays within the limit of a read', async () => {
  const headings = Array.from({ length: 40 }, (_, at) => `## ${'文'.repeat(5000)}${at}\ntext\n`).join('')
  const workspace = createWorkspace({ memory: { 'a.md': headings } })
  const limits = { contextSize: 4000 }
  const tool = createTools(workspace, { limits }).find(({ name }) => name === 'update_section')
  const result = await tool?.execute({ path: 'a.md', header: 'none', content: 'x' })
  expect(result?.isError).toBe(true)
  expect(result?.content).toMatch(/^Error: section "none" not found in a\.md\. Its sections are: /)
  expect(Buffer.byteLength(result?.content ?? '') / 3.5).toBeLessThanOrEqual(800)
})

describe("by the host's counter", () => {
  const counters: [string, number, (text: string) => number][] = [
    ['characters', 300, (text) => text.length],
    ['characters', 1000, (text) => text.length],
    ['one token for each digit', 1000, (text) => text.match(/\d|\D{1,4}/gu)?.length ?? 0],
    ['one token for each byte', 100, (text) => Buffer.byteLength(text)],
  ]
  const memory = {
    'rows.txt': Array.from({ length: 600 }, (_, i) => `r${i}`).join('\n'),
    'long.txt': `{"k":"${'x'.repeat(11_000)}"}`,
    'emoji.txt': '😀'.repeat(5000),
    'a.md': Array.from({ length: 40 }, (_, i) => `## ${'文'.repeat(200)}${i}\ntext\n`).join(''),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`folder/file-${i}.txt`, `${i}\n`])),
  }
  const calls: [string, object][] = [
    ['search', { pattern: '[0-9]', regex: true }],
    ['search', { pattern: 'x', path: 'long.txt' }],
    ['list_files', { recursive: true }],
    ['read_file', { file_paths: ['rows.txt'] }],
    ['read_file', { file_paths: ['long.txt'] }],
    ['read_file', { file_paths: ['long.txt'], offset: 1, limit: 1 }],
    ['read_file', { file_paths: ['emoji.txt'], offset: 1, column: 5 }],
    ['read_file', { file_paths: Object.keys(memory) }],
    ['read_file', { file_paths: Array.from({ length: 90 }, (_, i) => `none-${i}.txt`) }],
    ['read_lines', { path: 'rows.txt', start: 1, end: 600 }],
    ['update_section', { path: 'a.md', header: 'none', content: 'x' }],
    ['edit_file', { path: 'a.md', old_string: 'none'.repeat(2000), new_string: 'x' }],
  ]
  test.each(counters)('no answer exceeds the limit: %s, %d', async (_, limit, counter) => {
    const workspace = createWorkspace({ memory })
    const limits = { contextSize: 200_000, readMaxTokens: limit }
    for (const reader of [undefined, createFileReader()]) {
      const tools = createTools(workspace, { limits, counter, ...(reader && { reader }) })
      for (const [name, args] of calls) {
        const { content } = await runToolCall(tools, { name, arguments: JSON.stringify(args) })
        expect
          .soft(counter(content), `${name} ${JSON.stringify(args).slice(0, 80)}`)
          .toBeLessThanOrEqual(limit)
      }
    }
  })

  test('a long line is read to its end by the hints', async () => {
    const limits = { contextSize: 200_000, readMaxTokens: 300 }
    const read = createReadTool(createWorkspace({ memory }), { limits, counter: (text) => text.length })
    for (const path of ['long.txt', 'emoji.txt']) {
      let shown = ''
      for (let column: number | undefined = 1; column !== undefined; ) {
        const { content, isError } = await read.execute({ file_paths: [path], offset: 1, limit: 1, column })
        expect(isError).toBe(false)
        shown += content.split('\t')[1]?.split(' ... [line of')[0] ?? ''
        const next = /read on with offset=1, limit=1, column=(\d+)/.exec(content)
        column = next === null ? undefined : Number(next[1])
      }
      expect(shown).toBe(memory[path as 'long.txt'])
    }
  })

  test('a refusal that is too long keeps a call that works', async () => {
    const limits = { contextSize: 200_000, readMaxTokens: 300 }
    const read = createReadTool(createWorkspace({ memory }), { limits, counter: (text) => text.length })
    const { content } = await read.execute({ file_paths: ['rows.txt'], offset: 200 })
    const [, offset, limit] =
      /read_file\(file_paths=\["rows\.txt"\], offset=(\d+), limit=(\d+)\)/.exec(content) ?? []
    const proposed = { file_paths: ['rows.txt'], offset: Number(offset), limit: Number(limit) }
    expect((await read.execute(proposed)).isError).toBe(false)
  })
})

test('limits may name only some: the settings of a policy file fit as they are', async () => {
  const { reading } = loadPolicy({ read_max_tokens: 50 })
  const workspace = createWorkspace({ memory: { 'a.txt': 'a line of text\n'.repeat(40) } })
  const refusing = createReadTool(workspace, { limits: reading?.limits ?? false })
  expect((await refusing.execute({ file_paths: ['a.txt'] })).isError).toBe(true)
  const [read] = createTools(workspace, { limits: { ephemeralReadEnabled: false } })
  expect((await read?.execute({ file_paths: ['a.txt'] }))?.isError).toBe(false)
})
