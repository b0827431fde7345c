import * as fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTools, runToolCall, type ToolsOptions } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root = ''
beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'strange-'))
})
afterEach(() => fs.rm(root, { recursive: true, force: true }))

/** Creates files, each with its content `needle`. */
async function files(...paths: (string | Buffer)[]): Promise<void> {
  for (const path of paths) {
    const full = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path)])
    await fs.mkdir(full.subarray(0, full.lastIndexOf('/')), { recursive: true })
    await fs.writeFile(full, 'needle\n')
  }
}

/** Runs a tool; `denied` are the paths whose content the file system does not give. */
async function run(name: string, args: object, denied: readonly string[] = [], options: ToolsOptions = {}) {
  const refusing =
    <A extends unknown[], R>(work: (path: string, ...rest: A) => Promise<R>) =>
    async (path: string, ...rest: A): Promise<R> => {
      if (!denied.includes(path.slice(root.length + 1))) return work(path, ...rest)
      throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: 'EACCES' })
    }
  const disk = {
    ...fs,
    open: refusing(fs.open),
    readdir: refusing(((path: string) => fs.readdir(path)) as (path: string) => Promise<string[]>),
  }
  const tools = createTools(createWorkspace({ fs: disk as typeof fs, root }), options)
  return runToolCall(tools, { name, arguments: JSON.stringify(args) })
}

describe('list_files and search with unusual entries', () => {
  // macOS keeps the icon of a folder in a file named `Icon\r`.
  test.each(['Icon\r', 'two\nlines.txt', 'esc\u001b[2J.txt', 'a\\..\\b.txt', '~'])(
    'continue after a file named %j',
    async (strange) => {
      await files('a.txt', strange, 'z/b.txt')
      const shown = strange.replace(/\p{Cc}/gu, (char) => JSON.stringify(char).slice(1, -1))
      const listed = await run('list_files', { recursive: true })
      expect(listed.isError).toBe(false)
      const lines = listed.content.split('\n').filter((line) => !line.startsWith('['))
      expect(lines.sort()).toEqual(['a.txt', shown, 'z/', 'z/b.txt'].sort())
      const found = await run('search', { pattern: 'needle' })
      expect(found.isError).toBe(false)
      expect(found.content).toContain('a.txt:1: needle\n')
      expect(found.content).toContain('z/b.txt:1: needle')
      expect(found.content).toMatch(/\[Not searched: .*refused/)
    },
  )

  test('name the files and folders that they cannot read', async () => {
    await files('a.txt', 'in\nside/b.txt', 'locked/c.txt', 'secret.txt', 'z/d.txt')
    const listed = await run('list_files', { recursive: true }, ['locked'])
    expect(listed.content.split('\n').slice(0, -2)).toEqual([
      'a.txt',
      'in\\nside/',
      'locked/',
      'secret.txt',
      'z/',
      'z/d.txt',
    ])
    expect(listed.content).toContain('[Not listed: in\\nside, locked; the path "in\\nside" is refused')
    expect(listed.content).toContain('[Names with control characters are shown with escapes')
    const found = await run('search', { pattern: 'needle' }, ['locked', 'secret.txt'])
    expect(found.content).toMatch(
      /^a\.txt:1: needle\nz\/d\.txt:1: needle\n\[Not searched: in\\nside, locked, secret\.txt; .*\]$/,
    )
  })

  test.skipIf(process.platform !== 'linux')('name what has a name that is not UTF-8', async () => {
    await files(Buffer.from('b\xff.txt', 'latin1'), Buffer.from('f\xff/c.txt', 'latin1'), 'a.txt')
    const found = await run('search', { pattern: 'needle' })
    expect(found.content).toMatch(
      /^a\.txt:1: needle\n\[Not searched: b\ufffd\.txt, f\ufffd; .*U\+FFFD stands for bytes that are not UTF-8/,
    )
    const listed = await run('list_files', { recursive: true })
    expect(listed.content).toMatch(/^a\.txt\nb\ufffd\.txt\nf\ufffd\n\[Not listed: b\ufffd\.txt, f\ufffd; /)
    // A file of the shown name would be a second one.
    const written = await run('write_file', { path: 'b\ufffd.txt', content: 'x' })
    expect(written).toMatchObject({ isError: true, content: expect.stringContaining('U+FFFD stands for') })
    expect(await fs.readdir(root)).toHaveLength(3)
    // A file whose name really has the character is one like others.
    await files('c\ufffd.txt')
    expect((await run('search', { pattern: 'needle' })).content).toContain('c\ufffd.txt:1: needle')
    expect((await run('read_file', { file_path: 'c\ufffd.txt' })).isError).toBe(false)
    expect((await run('write_file', { path: 'c\ufffd.txt', content: 'x' })).isError).toBe(false)
  })

  test('name skipped entries, also without matches', async () => {
    await files('locked/c.txt')
    expect((await run('search', { pattern: 'needle' }, ['locked'])).content).toMatch(
      /^No matches\.\n\[Not searched: locked; .*EACCES/,
    )
    expect((await run('list_files', { glob: '*.txt' }, ['locked'])).content).toMatch(
      /^No file matches \*\.txt\.\n\[Not listed: locked; .*EACCES/,
    )
  })

  test('fail if the requested path itself is unreadable', async () => {
    await files('locked/c.txt', 'secret.txt')
    for (const [name, args] of [
      ['search', { pattern: 'needle', path: 'secret.txt' }],
      ['search', { pattern: 'needle', path: 'locked' }],
      ['list_files', { path: 'locked', recursive: true }],
    ] as const) {
      const { isError, content } = await run(name, args, ['locked', 'secret.txt'])
      expect({ isError, denied: content.includes('EACCES') }).toEqual({ isError: true, denied: true })
    }
  })
})

test('an existing file with a colon in its name is read and searched, also in the root', async () => {
  if (process.platform === 'win32') return
  await files('a:b', 'z/c:d.txt')
  const found = await run('search', { pattern: 'needle' })
  expect(found.content).toBe('a:b:1: needle\nz/c:d.txt:1: needle')
  for (const path of ['a:b', 'z/c:d.txt'])
    expect((await run('read_file', { file_paths: [path] })).content).toContain('1\tneedle')
  for (const path of ['a:', 'a:/b', 'C:\\b'])
    expect((await run('read_file', { file_paths: [path] })).content).toContain('it names a drive')
})

test.each([
  ['read_file', { file_paths: ['esc\u001b[2J\u007f.txt'] }],
  ['read_file', { file_paths: ['esc\u001b[2J\u007f.txt', 'a.txt'] }],
  ['read_lines', { path: 'esc\u001b[2J\u007f.txt', start: 1, end: 2 }],
])('%s with %j: the error shows control characters with escapes', async (name, args) => {
  await files('a.txt')
  const { content } = await run(name, args)
  expect(content).toContain('esc\\u001b[2J')
  expect(content).not.toMatch(/[^\P{Cc}\n\t]/u)
})

test('lists and refusals show a name with a control character alike', async () => {
  if (process.platform === 'win32') return
  await files('q"\\\n\u007f.txt')
  const shown = 'q\\"\\\\\\n\\u007f.txt'
  expect((await run('list_files', {})).content).toContain(shown)
  const refused = await run('read_file', { file_paths: ['q"\\\n\u007f.txt'] })
  expect(refused.content).toContain(`the path "${shown}" is refused`)
})

test('list_files shows a file whose name is not UTF-8', async () => {
  if (process.platform !== 'linux') return
  await files('a.txt', Buffer.from([0x66, 0xff, 0x2e, 0x74]))
  expect((await run('list_files', {})).content).toBe('a.txt\nf\ufffd.t')
  expect((await run('search', { pattern: 'needle' })).content).toMatch(
    /^a\.txt:1: needle\n\[Not searched: f\ufffd\.t; .*\]$/,
  )
})

test('notes on skipped entries fit into the read limit', async () => {
  const strange = Array.from({ length: 60 }, (_, i) => `${i}\n${'é'.repeat(90)}`)
  await files(...strange.map((name) => `${name}/x.txt`), 'a.txt')
  const limits = { contextSize: 5000 } // a fifth: 1000 tokens
  for (const [name, args] of [
    ['list_files', { recursive: true }],
    ['search', { pattern: 'needle' }],
  ] as const) {
    const { content } = await run(name, args, [], { limits })
    expect(Buffer.byteLength(content) / 3.5).toBeLessThanOrEqual(1000)
    expect(content).toMatch(/ and \d+ more; the path/)
  }
})

test('half of a surrogate pair in a path or a glob is answered in words and in well-formed text', async () => {
  const tools = createTools(createWorkspace({ memory: { 'a.txt': 'a' } }))
  const run = async (name: string, args: object) =>
    (await runToolCall(tools, { name, arguments: JSON.stringify(args) })).content
  expect(await run('list_files', { glob: 'b\ud800' })).toBe('No file matches b\\ud800.')
  expect(await run('read_file', { file_paths: ['b\ud800'] })).toMatch(/"b\\ud800" is refused/)
})
