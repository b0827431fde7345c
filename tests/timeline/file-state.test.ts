import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { convertMessages } from 'trimtab/formats'
import { fileStateAt, type Moment } from 'trimtab/timeline'
import { createTools, runToolCall } from 'trimtab/tools'
import { readTranscript } from 'trimtab/transcripts'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { FORMATS } from '../node/write.js'
import { History } from './history.js'

const numbered = (lines: string[], first = 1) =>
  lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n')

describe('fileStateAt after a read', () => {
  const whole = { certainty: 'exact', content: 'a\nb\n' }
  const read = { path: 'f' }
  const cases: [string, object, string, object][] = [
    [
      'lines numbered by this package',
      read,
      `=== f ===\n${numbered(['a', 'b'])}`,
      { ...whole, finalLineEnd: null },
    ],
    ['lines numbered by cat -n', read, numbered(['a', 'b']), whole],
    ['lines numbered with arrows', read, '     1→a\n     2→b', whole],
    [
      'lines numbered with arrows, then a reminder',
      read,
      '     1→a\n     2→b\n\n<system-reminder>\nx\n</system-reminder>\n',
      whole,
    ],
    ['lines numbered with bars', read, '1 | a\n2 | b', whole],
    [
      'a window of the whole file',
      { path: 'f' },
      '[File: f (2 lines total)]\r\n1:a\r\n2:b\n(Open file: f)',
      whole,
    ],
    ['text without numbers', read, 'a\nb\n', { ...whole, finalLineEnd: true }],
    [
      'an empty file',
      read,
      '=== f ===\n[File is empty: it has 0 lines.]',
      { certainty: 'exact', content: '' },
    ],
    [
      'a limit over the number of lines',
      { path: 'f', limit: 9 },
      `=== f ===\n${numbered(['a', 'b'])}`,
      whole,
    ],
    [
      'a window of a part',
      read,
      '[File: f (9 lines total)]\n1:a\n2:b\n(7 more lines below)',
      { certainty: 'partial' },
    ],
    [
      'a slice',
      { path: 'f', offset: 2, limit: 1 },
      '=== f ===\n[Showing lines 2-2 of 3 total lines]\n     2\tb',
      { certainty: 'partial', content: null, lines: [{ start: 2, end: 2, text: 'b' }] },
    ],
    ['as many lines as asked for', { path: 'f', limit: 2 }, 'a\nb\n', { certainty: 'partial' }],
    [
      'as many lines as some agents show',
      read,
      numbered(Array<string>(2000).fill('x')),
      { certainty: 'partial' },
    ],
    [
      'a notice of more lines',
      read,
      'a\nb\nc\nd\n\n... (9 more lines not shown. Use offset=5 to continue reading)',
      { certainty: 'partial' },
    ],
    [
      'a line that was cut',
      read,
      `     1\ta\n     2\t${'x'.repeat(2000)} ... [line of 3000 chars: read on with offset=2, limit=1, column=2001]\n     3\tc`,
      {
        certainty: 'partial',
        lines: [
          { start: 1, end: 1, text: 'a' },
          { start: 3, end: 3, text: 'c' },
        ],
      },
    ],
    ['a stub', read, '[cleared f, 4521 chars; recall 3f9a1c20]', { certainty: 'unknown', lines: [] }],
    ['a failure', read, 'Error: no such file', { certainty: 'unknown' }],
    ['a missing file', read, 'File not found: f', { certainty: 'unknown' }],
    ['a file that does not exist', read, 'File does not exist.', { certainty: 'unknown' }],
    ['a refused read', read, 'Tool use rejected', { certainty: 'unknown' }],
    ['a system error', read, 'ENOSPC: no space left on device', { certainty: 'unknown' }],
    [
      'a binary file',
      read,
      '=== f ===\n[Binary file: PNG image, 9 bytes. Its content is not shown.]',
      { certainty: 'unknown' },
    ],
    [
      'one of several files',
      { file_paths: ['e', 'f'] },
      `=== e ===\n${numbered(['x'])}\n\n=== f ===\n${numbered(['a', 'b'])}`,
      whole,
    ],
  ]
  test.each(cases)('%s', (_, args, text, state) => {
    const { messages } = new History().user().use('read_file', args, text)
    expect(fileStateAt(messages, 'f')).toMatchObject(state)
  })

  // Tools that read several files write headers of their own forms between them.
  const path = 'src/a.ts'
  test.each<[tool: string, args: object, text: string]>([
    ['read_many_files', { paths: [path, 'b.ts'] }, '--- src/a.ts ---\n\na\n\n--- b.ts ---\n\nb\n'],
    ['read_many_files', { paths: [path] }, '--- /work/src/a.ts ---\n\na\n\n--- End of content ---'],
    ['read_multiple_files', { paths: [path] }, 'src/a.ts:\na\n'],
    ['read_multiple_files', { paths: ['b.ts', path] }, 'b.ts:\nb\n\n---\nsrc/a.ts:\na\n'],
    ['read_files', { file_paths: [path, 'b.ts'] }, `${numbered(['a'])}\n`],
    ['read_files', { file_paths: [path] }, '==> src/a.ts <==\na\n'],
  ])('%s: does not take the header or another file for lines: %j', (tool, args, text) => {
    const { messages } = new History().user().use(tool, args, text)
    expect(fileStateAt(messages, path)).toMatchObject({ certainty: 'unknown', lines: [] })
  })

  const lines = 'const a = 1\n\nconst b = 2'
  const [one, , three] = lines.split('\n')
  test.each<[agent: string, text: string]>([
    ['opencode', `<file>\n00001| ${one}\n00002| \n00003| ${three}\n\n(End of file - total 3 lines)\n</file>`],
    [
      'opencode',
      `<path>/w/src/a.ts</path>\n<type>file</type>\n<content>\n1: ${one}\n2: \n3: ${three}\n\n(End of file - total 3 lines)\n</content>`,
    ],
    ['Crush', `<file>\n     1|${one}\n     2|\n     3|${three}\n</file>`],
    [
      'OpenHands',
      `Here's the result of running \`cat -n\` on /w/src/a.ts:\n     1\t${one}\n     2\t\n     3\t${three}\n`,
    ],
    ['Kilo Code', `File: src/a.ts\n1 | ${one}\n2 | \n3 | ${three}`],
  ])('the numbers of %s are read: %j', (_, text) => {
    const { messages } = new History().user().use('read_file', { path }, text)
    expect(fileStateAt(messages, path)).toMatchObject({ certainty: 'exact', content: `${lines}\n` })
  })

  // Numbers, wrappers and notices of no form that is parsed are no lines of the file.
  test.each([
    `1: ${one}\n2: ${three}`,
    `0: ${one}\n1: ${three}\nThe above content shows the entire file.`,
    `L1: ${one}\nL2: ${three}`,
    `Line 1: ${one}\nLine 2: ${three}`,
    `1#AB:${one}\n2#CD:${three}`,
    `1\t${one}\n2\t${three}`,
    `1: ${one}`,
    `<file_content path="src/a.ts">\n${lines}\n</file_content>`,
    `\`\`\`1:3:src/a.ts\n${lines}\n\`\`\``,
    `### src/a.ts\n\`\`\`ts\n${lines}\n\`\`\`\n`,
    `[Reading 3 lines from start (total: 900 lines, 897 remaining)]\n\n${lines}`,
    JSON.stringify({ content: lines, totalLines: 3 }),
    `Contents of src/a.ts:\n${lines}`,
  ])('knows nothing of a read that is dressed otherwise: %j', (text) => {
    const { messages } = new History().user().use('read_file', { path }, text)
    expect(fileStateAt(messages, path)).toMatchObject({ certainty: 'unknown', lines: [] })
  })

  test.each([
    ['a.json', '{"content": 1}'],
    ['a.md', '```ts\na\n```\n'],
    ['a.md', '1. one\n2. two\n'],
    ['a.csv', '1,a\n2,b\n'],
    ['a.jsonl', '[{"line": 1}]\n[{"line": 2}]\n'],
    ['Cargo.toml', '[package]\nname = "a"\n'],
    ['a.svg', '<svg>\n</svg>\n'],
    ['a.log', '10:31:22 a\n10:31:23 b\n'],
    ['a.ts', '{ "a" }'],
  ])('takes a file %s as it is: %j', (path, content) => {
    const { messages } = new History().user().use('read_file', { path }, content)
    expect(fileStateAt(messages, path)).toMatchObject({
      certainty: 'exact',
      content: content.endsWith('\n') ? content : `${content}\n`,
    })
  })

  test.each(['// src/a.ts\na\n', '# src/a.ts\n', '-- src/a.ts\n', "import './src/a.ts'\n", 'src/a.tsx\n'])(
    'a file may begin with its own name: %j',
    (content) => {
      const { messages } = new History().user().use('read_file', { path }, content)
      expect(fileStateAt(messages, path)).toMatchObject({ certainty: 'exact', content })
    },
  )

  test('knows nothing of an ephemeral read', () => {
    const mark = { metadata: { ephemeral: true } }
    const { messages } = new History().user().use('read_file', read, 'a\n', mark)
    expect(fileStateAt(messages, 'f')).toMatchObject({ certainty: 'unknown', lines: [] })
  })
})

describe('fileStateAt after a change', () => {
  const start = () =>
    new History().user().use('write_file', { path: 'f', content: 'a\nb\nc\n' }, 'Written: f')
  const edit = (old_string: string, new_string: string) => ({ path: 'f', old_string, new_string })
  const cases: [string, (history: History) => History, object][] = [
    ['a write', (h) => h, { certainty: 'exact', content: 'a\nb\nc\n', finalLineEnd: true }],
    [
      'an edit',
      (h) => h.use('edit_file', edit('b', '$&'), 'Edited f'),
      { certainty: 'exact', content: 'a\n$&\nc\n' },
    ],
    ['a refused edit', (h) => h.use('edit_file', edit('b', 'x'), 'Error: no'), { content: 'a\nb\nc\n' }],
    ['an edit without an answer', (h) => h.use('edit_file', edit('b', 'x')), { certainty: 'unknown' }],
    [
      'an edit of a text that is not in the file',
      (h) => h.use('edit_file', edit('z', 'x'), 'Edited f'),
      { certainty: 'unknown' },
    ],
    [
      'an edit with unknown arguments',
      (h) => h.use('edit_file', { path: 'f', how: 1 }, 'ok'),
      { certainty: 'unknown' },
    ],
    [
      'an append',
      (h) => h.use('append_to_file', { path: 'f', content: 'd' }, 'ok'),
      { content: 'a\nb\nc\nd', finalLineEnd: false },
    ],
    [
      'a prepend',
      (h) => h.use('prepend_to_file', { path: 'f', content: '0\n' }, 'ok'),
      { content: '0\na\nb\nc\n' },
    ],
    [
      'several edits in one',
      (h) => h.use('MultiEdit', { file_path: 'f', edits: [edit('a', 'A'), edit('A\nb', 'B')] }, 'ok'),
      { certainty: 'exact', content: 'B\nc\n' },
    ],
    [
      'an inserted line',
      (h) =>
        h.use(
          'str_replace_based_edit_tool',
          { command: 'insert', path: 'f', insert_line: 1, insert_text: 'x\n' },
          'ok',
        ),
      { content: 'a\nx\nb\nc\n' },
    ],
    [
      'a command that reads',
      (h) => h.use('bash', { command: 'git diff f | head -3 2>&1; ls' }, 'x'),
      { certainty: 'exact' },
    ],
    [
      'a command that may write',
      (h) => h.use('bash', { command: 'npm test' }, 'x'),
      { certainty: 'assumed', content: 'a\nb\nc\n', doubtfulSince: 3 },
    ],
    ['an unknown tool', (h) => h.use('deploy', {}, 'x'), { certainty: 'assumed' }],
    ['another turn', (h) => h.user(), { certainty: 'assumed' }],
    [
      'a read that confirms it',
      (h) => h.user().use('read_file', { path: 'f' }, numbered(['a', 'b', 'c'])),
      { certainty: 'exact', content: 'a\nb\nc\n', finalLineEnd: true },
    ],
    [
      'a read that contradicts the known content',
      (h) => h.use('read_file', { path: 'f', offset: 2, limit: 1 }, numbered(['B'], 2)),
      { certainty: 'partial', lines: [{ start: 2, end: 2, text: 'B' }] },
    ],
  ]
  test.each(cases)('%s', (_, happen, state) => {
    expect(fileStateAt(happen(start()).messages, 'f')).toMatchObject(state)
  })

  test.each([
    'The user rejected this change.',
    'Permission denied: f',
    'Tool call cancelled',
    'old_string was not found',
    'No changes were made',
    'Could not write f',
    'ENOSPC: no space left on device, write',
    '{"error":"old_string is not unique"}',
    '{ "success": false }',
    '{"status":"failed"}',
  ])('knows nothing after an edit that was answered with %j', (answer) => {
    const state = fileStateAt(start().use('edit_file', edit('b', 'x'), answer).messages, 'f')
    expect(state).toMatchObject({ certainty: 'unknown', content: null })
  })

  const patch = (...lines: string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') })
  const patches: [string, string[], object][] = [
    [
      'an update',
      ['*** Update File: f', '@@', ' a', '-b', '+B', '+C', '@@', '-c'],
      { certainty: 'exact', content: 'a\nB\nC\n' },
    ],
    ['below a line', ['*** Update File: f', '@@ b', '-c', '+x'], { content: 'a\nb\nx\n' }],
    [
      'of several files',
      ['*** Update File: g', ' x', '*** Update File: f', '-a', '*** Delete File: h'],
      { content: 'b\nc\n' },
    ],
    ['a new file', ['*** Add File: f', '+1', '+2'], { certainty: 'exact', content: '1\n2\n' }],
    ['a text that is not in the file', ['*** Update File: f', '-z'], { certainty: 'unknown' }],
    ['a deletion of the file', ['*** Delete File: f'], { certainty: 'unknown' }],
    ['another file', ['*** Update File: g', '-a'], { certainty: 'exact', content: 'a\nb\nc\n' }],
  ]
  test.each(patches)('a patch: %s', (_, lines, state) => {
    expect(fileStateAt(start().use('apply_patch', patch(...lines), 'Done!').messages, 'f')).toMatchObject(
      state,
    )
  })

  test('moves the lines behind an edit of known lines', () => {
    const { messages } = new History()
      .user()
      .use('read_lines', { path: 'f', start: 10, end: 12 }, numbered(['a', 'b', 'c'], 10))
      .use('read_lines', { path: 'f', start: 20, end: 20 }, numbered(['z'], 20))
      .use('edit_file', edit('b', '1\n2\n3'), 'ok')
    expect(fileStateAt(messages, 'f').lines).toEqual([
      { start: 10, end: 14, text: 'a\n1\n2\n3\nc' },
      { start: 22, end: 22, text: 'z' },
    ])
    expect(
      fileStateAt([...messages, ...new History().use('edit_file', edit('q', 'r'), 'ok').messages], 'f').lines,
    ).toEqual([])
  })

  test('applies updates of Markdown sections', () => {
    const { messages } = new History()
      .user()
      .use('write_file', { path: 'f', content: '# A\n\nold\n\n# B\n\nb\n' }, 'ok')
      .use('update_section', { path: 'f', header: '# A', content: 'new' }, 'ok')
    expect(fileStateAt(messages, 'f')).toMatchObject({
      certainty: 'exact',
      content: '# A\n\nnew\n\n# B\n\nb\n',
    })
  })
})

test('fileStateAt takes turns, steps and messages as moments', () => {
  const { messages } = new History()
    .user()
    .use('write_file', { path: './src//f', content: '1' }, 'ok')
    .use('write_file', { path: '/repo/src/f', content: '2' }, 'ok')
    .user()
    .use('write_file', { path: 'src/f', content: '3' }, 'ok')
  const at = (moment: Moment) => fileStateAt(messages, 'src/f', { moment }).content
  expect(fileStateAt(messages, 'src/f').content).toBe('3')
  expect([0, 1, 2].map((turn) => at(turn))).toEqual([null, '2', '3'])
  expect([0, 1, 2, 3].map((step) => at({ step }))).toEqual([null, '1', '2', '3'])
  expect([0, 2, 3, 4, 5, 8].map((message) => at({ message }))).toEqual([null, null, '1', '1', '2', '3'])
  // Prompts after the step are not before the moment.
  const stateAt = (moment: Moment) => fileStateAt(messages, '/repo/src/f', { moment })
  expect(stateAt({ step: 2 })).toMatchObject({ certainty: 'exact', doubtfulSince: null })
  expect(stateAt({ step: 2 })).toEqual(stateAt({ message: 5 }))
  expect(() => at(-1)).toThrow(expect.objectContaining({ code: 'invalid_option', argument: 'moment' }))
  expect(() => at({ hour: 1 } as never)).toThrow(expect.objectContaining({ code: 'invalid_option' }))
})

/** Actions of an agent on a file with the tools of this package, and changes by another program. */
const text = fc
  .array(fc.constantFrom('a', 'b', 'aa', '# A', '## B', '', '  x'), { maxLength: 5 })
  .map((l) => l.join('\n'))
const action = fc.oneof(
  fc.record({ name: fc.constant('read_file'), offset: fc.integer({ min: -3, max: 5 }), limit: fc.nat(3) }),
  fc.record({ name: fc.constant('read_file') }),
  fc.record({
    name: fc.constant('read_lines'),
    start: fc.integer({ min: 1, max: 4 }),
    end: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ name: fc.constant('write_file'), content: text }),
  fc.record({
    name: fc.constant('edit_file'),
    old_string: text,
    new_string: text,
    replace_all: fc.boolean(),
  }),
  fc.record({ name: fc.constantFrom('append_to_file', 'prepend_to_file'), content: text }),
  fc.record({ name: fc.constant('update_section'), header: fc.constantFrom('A', 'B'), content: text }),
  fc.record({ name: fc.constant('bash'), content: text }),
  fc.record({ name: fc.constant('prompt'), content: text }),
)

test('a state called exact equals the file, in every format', async () => {
  let exact = 0
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(action, { maxLength: 14 }),
      fc.constantFrom(...FORMATS),
      async (start, actions, format) => {
        const workspace = createWorkspace({ memory: { f: start } })
        const tools = createTools(workspace, { limits: false })
        const content = async () => new TextDecoder().decode((await workspace.readFile('f')).bytes)
        const history = new History().user()
        const truth: string[] = []
        for (const { name, ...args } of actions) {
          if (name === 'prompt' || name === 'bash')
            await workspace.writeFile('f', (args as { content: string }).content)
          if (name === 'prompt') history.user()
          else if (name === 'bash') history.use('bash', { command: 'make' }, 'made')
          else {
            const call = { ...args, ...(name === 'read_file' ? { file_paths: ['f'] } : { path: 'f' }) }
            const result = await runToolCall(tools, { name, arguments: JSON.stringify(call) })
            history.use(name, call, result.content)
          }
          truth[history.messages.length] = await content()
        }
        for (const [message, was] of truth.entries()) {
          if (was === undefined) continue
          const { messages } = convertMessages(history.messages.slice(0, message), format, {
            format: 'openai-chat',
          })
          const state = fileStateAt(messages, 'f', { format })
          const lines = was.split('\n')
          if (state.certainty === 'exact') {
            exact++
            const withEnd = was === '' || was.endsWith('\n') ? was : `${was}\n`
            expect(state.content).toBe(state.finalLineEnd === null ? withEnd : was)
          }
          if (state.doubtfulSince !== null) continue
          for (const known of state.lines)
            expect(lines.slice(known.start - 1, known.end).join('\n')).toBe(known.text)
        }
      },
    ),
    { numRuns: Math.min(runs.numRuns, 300) },
  )
  expect(exact).toBeGreaterThan(200)
})

const ROOT = new URL('../..', import.meta.url)
const DATA = new URL('../shared/data/', ROOT)
const sessions = [
  new URL('examples/session.jsonl', ROOT),
  ...(existsSync(DATA) ? readdirSync(DATA).filter((name) => !name.endsWith('.md')) : []).map(
    (name) => new URL(name, DATA),
  ),
]
if (!existsSync(DATA)) console.log('real sessions: skipped, ../shared/data is not there')

interface Piece {
  type: string
  id?: string
  tool_use_id?: string
  is_error?: boolean
  content?: unknown
  input?: Record<string, unknown>
}

describe.each(sessions.map((file) => [file.pathname.split('/').at(-1) as string, file] as const))(
  'fileStateAt in the session %s',
  (_, file) => {
    const transcript = readTranscript(readFileSync(file, 'utf8'), { history: 'full' })
    const { messages } = convertMessages(transcript.messages, 'anthropic', { format: transcript.format })
    const blocks = messages.flatMap((message, at) => {
      const { content } = message as { content: string | Piece[] }
      return typeof content === 'string' ? [] : content.map((block) => ({ at, block }))
    })

    test('a state called exact agrees with the next read and the next edit', () => {
      const counts = { exact: 0, assumed: 0, assumedRight: 0 }
      for (const { at, block } of blocks) {
        const path = block.input?.path ?? block.input?.file_path
        if (block.type !== 'tool_use' || typeof path !== 'string') continue
        const answer = blocks.find((other) => other.block.tool_use_id === block.id)
        if (answer === undefined || answer.block.is_error === true) continue
        const old = block.input?.oldText ?? block.input?.old_string ?? block.input?.old_text
        const isFullRead =
          /^(?:read|Read|read_file)$/.test(String((block as { name?: string }).name)) &&
          !('offset' in (block.input ?? {}))
        const state = fileStateAt(messages, path, { moment: { message: answer.at } })
        // With several calls in one answer, the state does not include those before this one.
        const isAlone =
          blocks.filter(
            (other) => other.at === at && (other.block.input?.path ?? other.block.input?.file_path) === path,
          ).length === 1
        if (state.content === null || !isAlone) continue
        const shown = typeof answer.block.content === 'string' ? answer.block.content : ''
        const seen =
          typeof old === 'string' ? old : isFullRead ? shown.replace(/^\s*\d+→/gm, '').trimEnd() : undefined
        if (seen === undefined) continue
        const isRight =
          typeof old === 'string' ? state.content.includes(seen) : state.content.trimEnd() === seen
        if (state.certainty === 'exact') {
          counts.exact++
          expect(isRight, `${path} in message ${at}`).toBe(true)
        } else {
          counts.assumed++
          if (isRight) counts.assumedRight++
        }
      }
      console.log(`${file.pathname.split('/').at(-1)}: ${JSON.stringify(counts)}`)
    })
  },
)

test.each(['src/./a.ts', 'src/../src/a.ts', './src//a.ts'])('knows a file by its other path %s', (path) => {
  const call = (id: string, name: string, args: object) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  })
  const messages = [
    call('a', 'read_file', { path: 'src/a.ts' }),
    { role: 'tool', tool_call_id: 'a', content: numbered(['retries = 3']) },
    call('b', 'edit_file', { path, old_string: '3', new_string: '5' }),
    { role: 'tool', tool_call_id: 'b', content: 'Edited.' },
  ]
  expect(fileStateAt(messages, 'src/a.ts').content).toBe('retries = 5\n')
})
