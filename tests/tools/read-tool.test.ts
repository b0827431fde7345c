import { createIndex } from 'trimtab/index'
import { createFileReader } from 'trimtab/reading'
import { createReadLinesTool, createReadTool, createTools, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'

describe('createReadTool', () => {
  const large = { 'large.txt': 'a line of some text\n'.repeat(2000) }

  test('limits reads to 3000 tokens by default, except ephemeral ones', async () => {
    const read = createTools(createWorkspace({ memory: large }))[0] as Tool
    const refused = await read.execute({ file_paths: ['large.txt'] })
    expect(refused.content).toMatch(
      /^Error: File\(s\) too large: estimated 11428\.6 tokens exceeds limit of 3000\. Use grep\/glob .* Or use ephemeral=true/,
    )
    const taken = await read.execute({ file_paths: ['large.txt'], ephemeral: 'true' })
    expect(taken).toMatchObject({
      isError: false,
      ephemeral: true,
      read: { files_read: 1, _ephemeral: true },
    })
    expect(taken.content).toMatch(/^\[EPHEMERAL READ: [^\n]*\]\n\n=== large\.txt ===\n {5}1\ta line/)
  })

  test('has no limit with limits: false', async () => {
    const read = createReadTool(createWorkspace({ memory: large }), { limits: false })
    expect(await read.execute({ file_paths: 'large.txt' })).toMatchObject({
      isError: false,
      ephemeral: false,
    })
  })

  test('offers no ephemeral reads with ephemeral: false', async () => {
    const read = createReadTool(createWorkspace({ memory: large }), { ephemeral: false })
    expect((read.parameters as { properties: object }).properties).not.toHaveProperty('ephemeral')
    expect(await read.execute({ file_paths: ['large.txt'], ephemeral: true })).toMatchObject({
      isError: true,
    })
  })

  test('reads from a custom source', async () => {
    const read = createReadTool({ readFile: async (path) => `I am ${path}` }, { name: 'read' })
    expect(read.name).toBe('read')
    expect((await read.execute({ file_paths: ['x'] })).content).toBe('=== x ===\n     1\tI am x')
  })
})

test('the read tool has the parameters of document "ReadTool Improvements"', () => {
  const { parameters } = createReadTool(createWorkspace({ memory: {} }))
  expect(parameters.required).toEqual(['file_paths'])
  expect(parameters.properties).toMatchObject({
    file_paths: { type: 'array', items: { type: 'string' }, description: 'Array of file paths to read' },
    limit: { type: 'integer', description: 'Maximum lines to read per file (0 = all lines)' },
    offset: { type: 'integer', description: 'Start reading from this line number (1-based)' },
  })
})

describe('a reader', () => {
  const body = (from: number) => Array.from({ length: 60 }, (_, i) => `  step(${from + i})`).join('\n')
  const code = (...names: string[]) => names.map((name) => `function ${name}() {\n${body(1)}\n}\n`).join('\n')
  const memory = { 'a.ts': code('boot', 'halt'), 'b.ts': code('start') }
  const index = createIndex()
  const tools = createTools(createWorkspace({ memory }), { reader: createFileReader(), index })
  const read = tools[0] as Tool

  test('expands ephemerally: the section is marked, and not indexed', async () => {
    const { content, ephemeral } = await read.execute({
      file_paths: ['a.ts'],
      expand: 'boot',
      ephemeral: true,
    })
    expect(content).toMatch(/^\[EPHEMERAL READ: [^\n]*\]\n\n/)
    expect(content).toContain('step(60)')
    expect(ephemeral).toBe(true)
    expect(index.paths()).toEqual([])
  })

  test('shows the section of the file that has it, and what the others have not', async () => {
    const { content, isError } = await read.execute({ file_paths: ['a.ts', 'b.ts'], expand: 'boot' })
    expect(isError).toBe(false)
    expect(content).toContain('step(60)')
    expect(content).toMatch(/b\.ts[\s\S]*there is no section "boot"/)
  })
})

test('hints name only what the tool can do', async () => {
  const source = createWorkspace({ memory: { 'a.txt': 'a line of some text\n'.repeat(2000) } })
  const answers = [
    await createReadTool(source, { ephemeral: false }).execute({ file_paths: ['a.txt'] }),
    await createReadLinesTool(source).execute({ path: 'a.txt', start: 1, end: 2000 }),
  ]
  for (const { content, isError } of answers) {
    expect(isError).toBe(true)
    expect(content).not.toContain('ephemeral')
  }
})

test('whatever a source throws is the failure of that file', async () => {
  const readFile = async (path: string) => {
    if (path === 'gone.ts') throw { code: 'ENOENT', message: 'no such file' }
    if (path === 'odd.ts') return undefined as unknown as string
    return 'ok\n'
  }
  const { content, isError } = await createReadTool({ readFile }).execute({
    file_paths: ['a.ts', 'gone.ts', 'odd.ts'],
  })
  expect(isError).toBe(false)
  expect(content).toContain('=== gone.ts ===\nError: no such file')
  expect(content).toContain('=== odd.ts ===\nError: the source gave no content')
})

test('the example of a refused read goes on from its column', async () => {
  const lines = ['日'.repeat(5000), ...Array.from({ length: 99 }, () => 'y'.repeat(100))]
  const workspace = createWorkspace({ memory: { 'a.txt': lines.join('\n') } })
  const first = createReadLinesTool(workspace)
  const refused = (await first.execute({ path: 'a.txt', start: 1, end: 100, column: 2001 })).content
  const [, end] = /Example: read_lines\(path="a.txt", start=1, end=(\d+), column=2001\)$/.exec(refused) ?? []
  const { content } = await first.execute({ path: 'a.txt', start: 1, end: Number(end), column: 2001 })
  expect(content).toContain('[Line 1 is shown from column 2001 of 5000]')
  const whole = (await createReadTool(workspace).execute({ file_paths: ['a.txt'], column: 2001 })).content
  expect(whole).toMatch(/Example: read_file\(file_paths=\["a.txt"\], limit=\d+, column=2001\)/)
})

test('the hints of read_lines name its own arguments, and work when followed', async () => {
  const text = ['short', 'ä'.repeat(5000), ...Array.from({ length: 900 }, (_, i) => `line ${i} of many`)]
  const tool = createReadLinesTool(createWorkspace({ memory: { 'a.txt': text.join('\n') } }))
  const read = async (args: object) => (await tool.execute({ path: 'a.txt', ...args })).content
  const asked = (hint: string) =>
    Object.fromEntries([...hint.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]))

  const refused = await read({ start: 1, end: 900 })
  expect(refused).toMatch(
    /^Error: File\(s\) too large: .* or use start\/end for targeted reading\. Example: /,
  )
  const fits = await read(asked(/Example: read_lines\((.*)\)$/.exec(refused)?.[1] ?? ''))
  expect(fits).toContain('\n     1\tshort\n')

  let line = ''
  let hint: string | undefined = 'start=2, end=2'
  while (hint !== undefined) {
    const content = await read(asked(hint))
    const found = /\n {5}2\t(ä+)(?: \.\.\. \[line of 5000 chars: read on with (.*)\])?$/.exec(content)
    line += found?.[1] ?? 'none'
    hint = found?.[2]
    expect(line.length).toBeLessThanOrEqual(5000)
  }
  expect(line).toBe(text[1])

  const beyond = await read({ start: 2000, end: 2009 })
  const last =
    /^=== a\.txt ===\n\[Cannot read from line 2000: .* or (.*) to read the last 10 lines\.\]$/.exec(beyond)
  expect(await read(asked(last?.[1] ?? ''))).toContain('line 899 of many')
})

test('a source that rejects with anything fails for that file only', async () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
  const throwing = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('y')
    },
  })
  for (const reason of [undefined, null, 7, '', Symbol('s'), revoked(), throwing, Object.create(null)]) {
    const source = {
      readFile: (path: string) => (path === 'bad' ? Promise.reject(reason) : Promise.resolve('fine\n')),
    }
    const result = await createReadTool(source).execute({ file_paths: ['good', 'bad'] })
    expect(result.isError).toBe(false)
    expect(result.content).toMatch(/^=== good ===\n {5}1\tfine\n\n=== bad ===\nError: /)
    const lines = await createReadLinesTool(source).execute({ path: 'bad', start: 1, end: 2 })
    expect(lines.isError).toBe(true)
  }
})
