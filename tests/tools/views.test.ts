import { inspect, project } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { createIndex } from 'trimtab/index'
import { type Curator, createFileReader } from 'trimtab/reading'
import { processToolResult } from 'trimtab/recipes'
import { fileStateAt } from 'trimtab/timeline'
import { createReadTool, createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'

const BIG = Array.from(
  { length: 40 },
  (_, i) => `def step_${i}(value):\n    first = value + ${i}\n    return first\n\n`,
).join('')
const FILES = { 'small.py': 'x = 1\n', 'big.py': BIG, 'data.bin': Uint8Array.from([0, 1, 2]) }

function tool(options: Parameters<typeof createFileReader>[0] = {}, limits: object | false = false) {
  const workspace = createWorkspace({ memory: FILES })
  const reader = createFileReader(options)
  return { workspace, read: createReadTool(workspace, { reader, limits: limits as false }) }
}

describe('read_file with a reader', () => {
  test('shows small files in full and others by their structure, in the order of the call', async () => {
    const { read, workspace } = tool()
    const { content, isError, views } = await read.execute({ file_paths: ['big.py', 'small.py'] })
    expect(isError).toBe(false)
    expect(views?.map(({ mode }) => mode)).toEqual(['structure', 'full'])
    expect(content).toMatch(/^File: big\.py \(structure\)\nTotal lines: 160 \| Preserved: \d+ /)
    expect(content).toMatch(
      /\n\nFile: small\.py \(full\)\nTotal lines: 1 \| Preserved: 1 \(100\.0%\)\n\n {3}1 \| x = 1$/,
    )
    expect((await workspace.writeFile('big.py', 'y')).warning).toBeUndefined()
  })

  test('takes a mode and refuses an unknown one', async () => {
    const { read } = tool()
    const full = await read.execute({ file_paths: ['big.py'], mode: 'full' })
    expect(full.views?.[0]).toMatchObject({ mode: 'full', preservedLines: 160 })
    expect(await read.execute({ file_paths: ['big.py'], mode: 'some' })).toMatchObject({
      isError: true,
      content: 'Error: mode must be one of auto, full, curated, structure, found "some"',
    })
  })

  test('uses the conversation at the time of the call', async () => {
    const said = [{ role: 'user', text: 'Hello' }]
    const { read } = tool({ conversation: () => said })
    said.push({ role: 'user', text: 'What does step_17 do?' })
    const { content } = await read.execute({ file_paths: ['big.py'] })
    expect(content).toMatch(
      /\nLines 69-71: step_17\n {2}69 \| def step_17\(value\):\n {2}70 \| {5}first = value \+ 17\n/,
    )
  })

  test('expands a section by its name, or by a line in it', async () => {
    const { read } = tool()
    const byName = await read.execute({ file_paths: ['big.py'], expand: 'step_17' })
    expect(byName.content).toContain('  70 |     first = value + 17\n')
    expect((await read.execute({ file_paths: ['big.py'], expand: '70' })).content).toBe(byName.content)
    expect((await read.execute({ file_paths: ['big.py'], expand: 70 })).content).toBe(byName.content)
    expect(await read.execute({ file_paths: ['big.py'], expand: 'stepp_17' })).toMatchObject({
      isError: true,
      content: 'Error: there is no section "stepp_17": did you mean step_17?',
    })
  })

  test('keeps line ranges, ephemeral reads and limits', async () => {
    const { read } = tool({}, { contextSize: 200_000, readMaxTokens: 300 })
    const lines = await read.execute({ file_paths: ['big.py'], offset: 70, limit: 1 })
    expect(lines.content).toContain('    70\t    first = value + 17')
    const ephemeral = await read.execute({ file_paths: ['big.py'], ephemeral: true })
    expect(ephemeral).toMatchObject({ ephemeral: true, content: expect.stringContaining('=== big.py ===') })
    const refused = await read.execute({ file_paths: ['big.py'], mode: 'full' })
    expect(refused).toMatchObject({ isError: true, content: expect.stringContaining('File(s) too large') })
    expect((await read.execute({ file_paths: ['big.py'] })).isError).toBe(false)
  })

  test('reports a failing file beside the shown ones', async () => {
    const { read } = tool()
    const { content, isError } = await read.execute({ file_paths: ['none.py', 'big.py', 'data.bin'] })
    expect(isError).toBe(false)
    expect(content).toContain('File: big.py (structure)')
    expect(content).toContain('=== none.py ===\nError: there is no such file')
    expect(content).toContain('=== data.bin ===')
    const beside = await read.execute({ file_paths: ['none.py', 'big.py'] })
    expect(beside).toMatchObject({
      isError: false,
      content: expect.stringContaining('there is no such file'),
    })
    expect(beside.content).toContain('File: big.py (structure)')
    const alone = await read.execute({ file_paths: ['none.py'] })
    expect(alone).toMatchObject({
      isError: true,
      content: expect.stringContaining('Failed to read 1 file: none.py'),
    })
    expect((await read.execute({ file_paths: [] })).isError).toBe(true)
  })

  test('describes what its reader does, in the words of the document where they are true', () => {
    const workspace = createWorkspace({ memory: {} })
    const described = (settings: object, options: object = {}) =>
      createReadTool(workspace, { reader: createFileReader(settings), ...options }).description
    const plain = described({ threshold: 'aggressive' })
    expect(plain).toBe(
      'Reads a file with smart context optimization. Small files (≤50 lines) show full content instantly. Larger files show their structure: imports, types, signatures. Use this as your primary file reading tool. For surgical access to specific line ranges, pass offset and limit. "..." stands for folded lines. To see a folded section, pass its name or one of its line numbers as expand.',
    )
    expect(described({ threshold: 'conservative' })).toContain('(≤200 lines)')
    expect(described({ thresholds: { '*.json': { small: 7 } } })).toContain('(≤100 lines)')
    const curator: Curator = async () => ({ content: '{}' })
    const curated = described({ threshold: { small: 30, large: 900 }, curator })
    expect(curated).toContain(
      '(≤30 lines) show full content instantly. Larger files use an intelligent agent',
    )
    expect(curated).toContain('Files of more than 900 lines show their structure.')
    expect(described({ conversation: () => [] })).toContain('filtered based on conversation context')
    expect(described({ threshold: { small: 0 } })).not.toContain('Small files')
    for (const indexed of [described({ index: createIndex() }), described({}, { index: createIndex() })])
      expect(indexed).toContain('All files are fully indexed')
    const { readFile, expand } = createFileReader()
    const own = createReadTool(workspace, { reader: { readFile, expand } }).description
    expect(own).toContain(
      'Small files show full content instantly. Larger files show only relevant sections.',
    )
    const [read] = createTools(workspace, { reader: createFileReader() })
    expect(read?.description).toContain('use read_lines instead.')
  })

  test('says which of several files failed in the order of the paths, as a read without a reader does', async () => {
    const memory = { 'a.ts': 'a\n', 'b.ts': 'b\n', 'data.bin': new Uint8Array([0, 1]) }
    const read = createReadTool(createWorkspace({ memory }), { reader: createFileReader() })
    const { content, isError } = await read.execute({
      file_paths: ['nope.ts', 'a.ts', 'gone.ts', 'data.bin', 'b.ts'],
    })
    expect(isError).toBe(false)
    expect(content.split('\n\n').filter((part) => !/^ {3}/.test(part))).toEqual([
      '=== nope.ts ===\nError: there is no such file',
      'File: a.ts (full)\nTotal lines: 1 | Preserved: 1 (100.0%)',
      '=== gone.ts ===\nError: there is no such file',
      '=== data.bin ===\n[Binary file: unknown type, 2 bytes. Its content is not shown.]',
      'File: b.ts (full)\nTotal lines: 1 | Preserved: 1 (100.0%)',
    ])
  })

  test.each([3000, 500])(
    'shows something of each file that is in %d tokens, and counts the others',
    async (most) => {
      const content = (i: number) => `export const a${i} = ${i}\n`.repeat(8)
      const memory = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}.ts`, content(i)]))
      const limits = { contextSize: 200_000, readMaxTokens: most }
      const read = createReadTool(createWorkspace({ memory }), { reader: createFileReader(), limits })
      const paths = [...Object.keys(memory), 'none.ts', 'gone.ts']
      const { content: text, views = [] } = await read.execute({ file_paths: paths })
      expect(views).toHaveLength(Math.floor(most / 200))
      expect(views.map(({ preservedLines }) => preservedLines > 0)).not.toContain(false)
      expect(text).not.toMatch(/undefined|NaN/)
      expect(text).toContain(
        '=== none.ts ===\nError: there is no such file\n\n=== gone.ts ===\nError: there is',
      )
      expect(text).toContain(
        `[${paths.length - views.length - 2} more files do not fit into ${most} tokens: `,
      )
    },
  )

  test('asks the curator, returns its thinking and is aborted with the call', async () => {
    const answer = '{"line_ranges": [{"start": 69, "end": 71, "reason": "asked for"}]}'
    const curator: Curator = async () => ({ content: answer, thinking: 'Only step_17.' })
    const { read } = tool({ curator })
    const { content, views } = await read.execute({ file_paths: ['big.py'] })
    expect(content).toContain('Lines 69-71: asked for\n')
    expect(views?.[0]).toMatchObject({ curatedBy: 'model', thinking: 'Only step_17.' })
    const stop = new AbortController()
    const hanging = tool({ curator: () => new Promise<never>(() => stop.abort(new Error('enough'))) })
    const failure = hanging.read.execute({ file_paths: ['big.py'] }, { signal: stop.signal })
    await expect(failure).rejects.toThrow('enough')
  })

  test('is part of createTools and returns tool results', async () => {
    const tools = createTools(createWorkspace({ memory: FILES }), { reader: createFileReader() })
    const call = { name: 'read_file', arguments: '{"file_paths": ["big.py"]}' }
    const result = await runToolCall(tools, call)
    const toolCall = { id: 'a', type: 'function' as const, function: call }
    expect(processToolResult({ toolCall, result }).content).toContain('File: big.py (structure)')
  })
})

test('fileStateAt knows only the lines that a view shows', async () => {
  const { read } = tool()
  const history = async (mode: string) => {
    const { content } = await read.execute({ file_paths: ['small.py', 'big.py'], mode })
    const call = {
      name: 'read_file',
      arguments: JSON.stringify({ file_paths: ['small.py', 'big.py'], mode }),
    }
    return [
      { role: 'user', content: 'Read them' },
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', type: 'function', function: call }] },
      { role: 'tool', tool_call_id: 'a', content },
    ]
  }
  const whole = fileStateAt(await history('full'), 'big.py', { moment: 1 })
  expect(whole).toMatchObject({ certainty: 'exact', content: BIG })
  const partial = fileStateAt(await history('structure'), 'big.py', { moment: 1 })
  expect(partial.certainty).toBe('partial')
  const lines = BIG.split('\n')
  const known = partial.lines.flatMap(({ start, text }) =>
    text.split('\n').map((line, i) => [lines[start - 1 + i], line]),
  )
  expect(known.length).toBeGreaterThan(20)
  for (const [own, shown] of known) expect(shown).toBe(own)
})

test.each(FORMATS)('in %s a view does not supersede a full read of the same file', async (format) => {
  const { read } = tool()
  const use = async (args: object, id: string) => {
    const result = await read.execute({ file_paths: ['big.py'], ...args })
    const call = { name: 'read_file', arguments: JSON.stringify({ file_paths: ['big.py'], ...args }) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: id, content: result.content },
    ]
  }
  const history = async (args: object) => {
    const pieces = [use({ mode: 'full' }, 'a'), use(args, 'b')]
    const chat = [{ role: 'user', content: 'Read it' }, ...(await Promise.all(pieces)).flat()]
    return convertMessages(chat, format, { format: 'openai-chat' }).messages
  }
  const edits = async (args: object) =>
    project(await history(args), { reads: { superseded: 'clear' } }, { format }).report.edits
  expect(await edits({ mode: 'structure' })).toEqual([])
  expect(await edits({ expand: 'step_17' })).toEqual([])
  expect(await edits({ offset: -20 })).toEqual([])
  expect(await edits({ mode: 'full' })).toHaveLength(1)
  const { blocks } = inspect(await history({ mode: 'auto' }), { format })
  expect(blocks.some(({ isSuperseded }) => isSuperseded)).toBe(false)
})
