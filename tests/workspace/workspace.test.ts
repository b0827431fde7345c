import { createHash } from 'node:crypto'
import * as callbacks from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { TrimtabError } from 'trimtab'
import { createWorkspace, type FileInfo, type Workspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.js'
import { scratchFolder } from './folder.js'

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const kinds: [string, () => Workspace][] = [
  ['disk', () => createWorkspace({ fs, root: scratchFolder() })],
  ['memory', () => createWorkspace({ memory: {} })],
]

describe.each(kinds)('a workspace on %s', (_, make) => {
  test('reads back the written bytes', async () => {
    const workspace = make()
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256)
    const written = await workspace.writeFile('a/b/c.bin', bytes)
    expect(written).toEqual({ path: 'a/b/c.bin', bytes: 70_000, digest: sha256(bytes), created: true })
    expect(await workspace.readFile('./a//b/c.bin')).toEqual({
      path: 'a/b/c.bin',
      bytes,
      digest: sha256(bytes),
    })
    await workspace.writeFile('empty', '')
    expect((await workspace.readFile('empty')).bytes).toHaveLength(0)
  })

  test('writes text as UTF-8 and refuses a lone surrogate', async () => {
    const workspace = make()
    const content = '\ufeffä\r\n€ 𝄞\u0000'
    await workspace.writeFile('x', content)
    expect((await workspace.readFile('x')).bytes).toEqual(new TextEncoder().encode(content))
    expect(await codeOf(workspace.writeFile('x', 'a\ud800'))).toBe('ill_formed_text')
    expect(await codeOf(workspace.writeFile('x', 7 as unknown as string))).toBe('invalid_option')
  })

  test('lists folders and gives the kind of an entry', async () => {
    const workspace = make()
    for (const path of ['b.txt', 'a/x', 'a/y/z']) await workspace.writeFile(path, path)
    expect(await workspace.list()).toEqual([
      { path: 'a', kind: 'folder', size: 0 },
      { path: 'b.txt', kind: 'file', size: 5 },
    ])
    expect((await workspace.list('a')).map(({ path, kind }) => [path, kind])).toEqual([
      ['a/x', 'file'],
      ['a/y', 'folder'],
    ])
    expect(await workspace.stat('a/y')).toEqual({ path: 'a/y', kind: 'folder', size: 0 })
    expect(await workspace.stat('nothing/here')).toBeUndefined()
  })

  test('walks a folder in order, without the content of some', async () => {
    const workspace = make()
    for (const path of ['b', 'a/x', 'a/y/z', 'a-/x']) await workspace.writeFile(path, path)
    const walked = async (...args: Parameters<Workspace['walk']>) => {
      const found: string[] = []
      for await (const { path, kind } of workspace.walk(...args)) found.push(`${kind} ${path}`)
      return found
    }
    expect(await walked()).toEqual([
      'folder a',
      'file a/x',
      'folder a/y',
      'file a/y/z',
      'folder a-',
      'file a-/x',
      'file b',
    ])
    expect(await walked('a', { enters: ({ path }) => path !== 'a/y' })).toEqual(['file a/x', 'folder a/y'])
    expect(await codeOf(walked('none'))).toBe('not_found')
    expect(await codeOf(walked('b'))).toBe('not_a_file')
    expect(await codeOf(walked('.', { enters: 1 as never }))).toBe('invalid_option')
  })

  test('removes files', async () => {
    const workspace = make()
    const { digest } = await workspace.writeFile('a', '1')
    expect(await codeOf(workspace.remove('a', { expectedDigest: sha256('2') }))).toBe('conflict')
    await workspace.remove('a', { expectedDigest: digest })
    expect(await workspace.stat('a')).toBeUndefined()
    expect(workspace.reads.digest('a')).toBeUndefined()
  })

  test('fails for missing files and for folders with an error code', async () => {
    const workspace = make()
    await workspace.writeFile('folder/file', 'x')
    expect(await codeOf(workspace.readFile('none'))).toBe('not_found')
    expect(await codeOf(workspace.readFile('folder'))).toBe('not_a_file')
    expect(await codeOf(workspace.writeFile('folder', 'x'))).toBe('not_a_file')
    expect(await codeOf(workspace.writeFile('folder/file/x', 'x'))).toBe('not_a_file')
    expect(await codeOf(workspace.writeFile('.', 'x'))).toBe('not_a_file')
    expect(await codeOf(workspace.list('none'))).toBe('not_found')
    expect(await codeOf(workspace.list('folder/file'))).toBe('not_a_file')
    expect(await codeOf(workspace.remove('none'))).toBe('not_found')
    expect(text((await workspace.readFile('folder/file')).bytes)).toBe('x')
  })

  test('refuses a write if the expected digest does not match', async () => {
    const workspace = make()
    const first = await workspace.writeFile('a', 'one', { expectedDigest: null })
    expect(await codeOf(workspace.writeFile('a', 'two', { expectedDigest: null }))).toBe('conflict')
    expect(await codeOf(workspace.writeFile('a', 'two', { expectedDigest: sha256('other') }))).toBe(
      'conflict',
    )
    expect(await codeOf(workspace.writeFile('b', 'two', { expectedDigest: sha256('one') }))).toBe('conflict')
    expect(text((await workspace.readFile('a')).bytes)).toBe('one')
    await workspace.writeFile('a', 'two', { expectedDigest: first.digest })
    expect(text((await workspace.readFile('a')).bytes)).toBe('two')
  })

  test('lets one of several simultaneous writes with the same expected digest win', async () => {
    const workspace = make()
    const { digest } = await workspace.writeFile('a', 'start')
    const writes = Array.from({ length: 20 }, (_, i) =>
      codeOf(workspace.writeFile('a', `${i}`, { expectedDigest: digest })),
    )
    expect((await Promise.all(writes)).sort()).toEqual([...Array(19).fill('conflict'), 'no error'])
  })

  test('treats composed and decomposed é as one name', async () => {
    const workspace = make()
    await workspace.writeFile('cafe\u0301.txt', 'x')
    expect((await workspace.readFile('caf\u00e9.txt')).path).toBe('caf\u00e9.txt')
    expect((await workspace.writeFile('cafe\u0301.txt', 'y')).created).toBe(false)
    expect(await workspace.list()).toHaveLength(1)
  })
})

describe('overwrite warnings', () => {
  const EDITORS = 'To change part of a file use edit_file, append_to_file, prepend_to_file or update_section.'

  test('are given for a file that was never read', async () => {
    const workspace = createWorkspace({ memory: { 'a.md': 'old' } })
    const { warning } = await workspace.writeFile('a.md', 'new')
    expect(warning).toBe(`Warning: a.md was not read before and has been overwritten. ${EDITORS}`)
    expect((await workspace.writeFile('a.md', 'newer')).warning).toBeUndefined()
    expect((await workspace.writeFile('b.md', 'new')).warning).toBeUndefined()
  })

  test('are given for a file that changed since it was read', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    await fs.writeFile(join(root, 'a.md'), 'old')
    await workspace.readFile('a.md')
    await fs.writeFile(join(root, 'a.md'), 'changed')
    const { warning } = await workspace.writeFile('a.md', 'new')
    expect(warning).toBe(`Warning: a.md changed since it was last read and has been overwritten. ${EDITORS}`)
  })

  test('take into account reads saved by an earlier session', async () => {
    const first = createWorkspace({ memory: { a: 'x', b: 'y' } })
    await first.readFile('a')
    await first.readFile('b')
    const reads = JSON.parse(JSON.stringify(first.reads))
    const second = createWorkspace({ memory: { a: 'x', b: 'changed', c: 'z' }, reads })
    expect((await second.writeFile('a', '1')).warning).toBeUndefined()
    expect((await second.writeFile('b', '1')).warning).toMatch('changed since')
    expect((await second.writeFile('c', '1')).warning).toMatch('was not read before')
  })

  test('refuse invalid saved reads', () => {
    expect(() => createWorkspace({ memory: {}, reads: { a: 'yes' } })).toThrow(TrimtabError)
  })
})

describe('a workspace with node:fs/promises', () => {
  test('keeps the mode of a file, whatever the umask', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    for (const mode of [0o755, 0o600, 0o666, 0o640]) {
      await fs.rm(join(root, 'run.sh'), { force: true })
      await fs.writeFile(join(root, 'run.sh'), 'old')
      await fs.chmod(join(root, 'run.sh'), mode)
      await workspace.writeFile('run.sh', 'new')
      expect((await fs.stat(join(root, 'run.sh'))).mode & 0o7777).toBe(mode)
    }
  })

  test.each(['한국어문서'.repeat(8), 'é'.repeat(90), 'がぎぐげご'.repeat(7), 'ế'.repeat(60)])(
    'a name whose decomposed spelling is too long: %s',
    async (name) => {
      const workspace = createWorkspace({ fs, root: scratchFolder() })
      expect(await workspace.stat(`${name}.md`)).toBeUndefined()
      await workspace.writeFile(`${name}.md`, 'x')
      for (const spelling of [name, name.normalize('NFD')])
        expect((await workspace.readFile(`${spelling}.md`)).bytes).toHaveLength(1)
    },
  )

  test('reads and changes a file whose name is as long as the file system allows', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    for (const name of [`${'n'.repeat(251)}.txt`, `${'é'.repeat(125)}.txt`]) {
      await fs.writeFile(join(root, name), 'old')
      expect((await workspace.readFile(name)).bytes).toHaveLength(3)
      await workspace.writeFile(name, 'newer')
      expect(await fs.readFile(join(root, name), 'utf8')).toBe('newer')
    }
    await expect(workspace.writeFile('n'.repeat(256), 'x')).rejects.toMatchObject({ code: 'invalid_path' })
  })

  test.each(['made/', 'made//', '.5.trimtab-tmp', 'a.trimtab-tmp/b'])('creates no file %s', async (path) => {
    for (const workspace of [
      createWorkspace({ fs, root: scratchFolder() }),
      createWorkspace({ memory: {} }),
    ]) {
      const failed = await workspace.writeFile(path, 'x').catch((error: unknown) => error)
      expect(failed).toMatchObject({ code: 'invalid_path', isWritten: false })
      expect(await workspace.list()).toEqual([])
    }
  })

  test('writes no file that is write-protected', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    const path = join(root, 'made.ts')
    for (const mode of [0o444, 0o555, 0o400, 0o466, 0o000]) {
      await fs.writeFile(path, 'old')
      await fs.chmod(path, mode)
      const failed = await workspace.writeFile('made.ts', 'new').catch((error: unknown) => error)
      expect(failed).toMatchObject({ code: 'file_failed', isWritten: false })
      expect(String(failed)).toContain(
        `made.ts: cannot be written: it is write-protected (mode ${mode.toString(8).padStart(4, '0')})`,
      )
      expect(await fs.readdir(root)).toEqual(['made.ts'])
      expect(await fs.readFile(path, 'utf8')).toBe('old')
      await fs.rm(path)
    }
  })

  test('follows links within the root for reads and writes', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    await workspace.writeFile('real/file.txt', 'one')
    await fs.symlink('real', join(root, 'folder'))
    await fs.symlink('folder/file.txt', join(root, 'link.txt'))
    expect((await workspace.readFile('link.txt')).path).toBe('real/file.txt')
    // The same file under another name counts as read.
    expect((await workspace.writeFile('folder/file.txt', 'two')).warning).toBeUndefined()
    await workspace.writeFile('link.txt', 'three')
    expect(await fs.readFile(join(root, 'real/file.txt'), 'utf8')).toBe('three')
    expect((await fs.lstat(join(root, 'link.txt'))).isSymbolicLink()).toBe(true)
  })

  test('accepts a root that is a symbolic link', async () => {
    const folder = scratchFolder()
    await fs.mkdir(join(folder, 'real'))
    await fs.symlink('real', join(folder, 'root'))
    const workspace = createWorkspace({ fs, root: join(folder, 'root') })
    await workspace.writeFile('a/b', 'x')
    expect(await fs.readFile(join(folder, 'real/a/b'), 'utf8')).toBe('x')
  })

  test('reads and writes existing files with names invalid on other systems, but creates none', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root })
    for (const name of ['aux.c', 'one:two', 'dots.', 'back\\slash']) {
      await fs.writeFile(join(root, name), 'old')
      await workspace.readFile(name)
      await workspace.writeFile(name, 'new')
      expect(await fs.readFile(join(root, name), 'utf8')).toBe('new')
      expect(await codeOf(workspace.writeFile(`folder/${name}`, 'x'))).toBe('invalid_path')
    }
    expect(await codeOf(workspace.writeFile('aux.d/file', 'x'))).toBe('invalid_path')
  })

  test('does not treat a backslash in a link target as a separator', async () => {
    const folder = scratchFolder()
    await fs.mkdir(join(folder, 'root/a\\..\\..\\outside'), { recursive: true })
    await fs.writeFile(join(folder, 'outside'), 'secret')
    await fs.writeFile(join(folder, 'root/a\\..\\..\\outside/x'), 'inside')
    await fs.symlink('a\\..\\..\\outside', join(folder, 'root/link'))
    const workspace = createWorkspace({ fs, root: join(folder, 'root') })
    expect(text((await workspace.readFile('link/x')).bytes)).toBe('inside')
  })

  test('does not open devices', async () => {
    const workspace = createWorkspace({ fs, root: '/dev' })
    expect(await codeOf(workspace.readFile('zero'))).toBe('not_a_file')
    expect(await codeOf(workspace.writeFile('null', 'x'))).toBe('not_a_file')
  })

  test('accepts the root of the file system', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs, root: '/' })
    const { path } = await workspace.writeFile(`${root.slice(1)}/folder/new.txt`, 'x')
    expect(path).toBe(`${root.slice(1)}/folder/new.txt`)
    expect((await workspace.readFile(path)).path).toBe(path)
    expect((await workspace.list(`${root.slice(1)}/folder`)).map((info) => info.path)).toEqual([path])
    expect((await workspace.list()).map((info) => info.path)).toContain(root.split('/')[1])
  })

  test('refuses a missing root until it is created', async () => {
    const root = join(scratchFolder(), 'later')
    const workspace = createWorkspace({ fs, root })
    await expect(workspace.writeFile('a', 'x')).rejects.toMatchObject({
      code: 'not_found',
      argument: 'root',
      message: `the workspace's root ${JSON.stringify(root)} is not there: make the folder first`,
    })
    await fs.mkdir(root)
    await workspace.writeFile('a', 'x')
  })

  test('does not list temporary files of a killed process', async () => {
    const root = scratchFolder()
    await fs.writeFile(join(root, '.0123456789abcdef.trimtab-tmp'), 'half')
    expect(await createWorkspace({ fs, root }).list()).toEqual([])
  })
})

test.each([{}, { fs }, { fs, root: '' }, { fs, root: '/tmp', memory: {} }, undefined])(
  'createWorkspace refuses options %o',
  (options) => {
    expect(() => createWorkspace(options as never)).toThrow(TrimtabError)
  },
)

test('createWorkspace refuses node:fs and invalid memory files', () => {
  expect(() => createWorkspace({ fs: callbacks as never, root: '/tmp' })).toThrow(
    "createWorkspace needs fs, the module node:fs/promises, not node:fs: import * as fs from 'node:fs/promises'",
  )
  expect(() => createWorkspace({ memory: { a: 5 as never } })).toThrow(
    expect.objectContaining({ code: 'invalid_option', argument: 'memory' }),
  )
})

test('a read with track: false does not count as read', async () => {
  const workspace = createWorkspace({ memory: { 'a.txt': 'old' } })
  const { digest } = await workspace.readFile('a.txt', { track: false })
  expect(workspace.reads.toJSON()).toEqual({})
  expect((await workspace.writeFile('a.txt', 'new')).warning).toContain('was not read before')
  expect((await workspace.readFile('a.txt')).digest).not.toBe(digest)
})

test.each([2 ** 40, 2 ** 30])('a file of %d bytes is refused before it is read', async (size) => {
  const root = scratchFolder()
  await fs.writeFile(join(root, 'sparse'), '')
  await fs.truncate(join(root, 'sparse'), size)
  const reads: number[] = []
  const open: typeof fs.open = async (...args) => {
    const file = await fs.open(...args)
    const read = file.read.bind(file) as (...args: unknown[]) => ReturnType<typeof file.read>
    return Object.assign(file, {
      read: (...args: unknown[]) => {
        reads.push(args[2] as number)
        return read(...args)
      },
    })
  }
  const workspace = createWorkspace({ fs: { ...fs, open } as typeof fs, root })
  const refused = /^sparse: it has more than 512 MB, which is the most that is read of a file$/
  for (const call of [
    () => workspace.readFile('sparse'),
    () => workspace.writeFile('sparse', 'x', { expectedDigest: sha256('') }),
    () => workspace.remove('sparse', { expectedDigest: sha256('') }),
  ]) {
    const error: unknown = await call().then(undefined, (error: unknown) => error)
    expect(error).toMatchObject({ code: 'file_failed', message: expect.stringMatching(refused) })
  }
  expect(reads).toEqual([])
})

test('an entry of a deep folder is found with a few calls', async () => {
  const root = scratchFolder()
  const folder = Array.from({ length: 100 }, () => 'd').join('/')
  await fs.mkdir(join(root, folder), { recursive: true })
  await fs.writeFile(join(root, folder, 'f'), 'x')
  let looks = 0
  const lstat = ((...args: Parameters<typeof fs.lstat>) => {
    looks++
    return fs.lstat(...args)
  }) as typeof fs.lstat
  const workspace = createWorkspace({ fs: { ...fs, lstat } as typeof fs, root })
  expect(await workspace.list(folder)).toMatchObject([{ path: `${folder}/f` }])
  expect(looks).toBeLessThan(10)
})

describe('a walk', () => {
  /** A workspace of `folder/inside/file`, and a way to replace `folder` by a link that leads out of its root. */
  async function replaceable() {
    const base = scratchFolder()
    for (const folder of ['root/folder/inside', 'outside/inside'])
      await fs.mkdir(join(base, folder), { recursive: true })
    await fs.writeFile(join(base, 'root/folder/inside/file'), 'x')
    await fs.writeFile(join(base, 'outside/inside/secret'), 'x')
    const replace = async () => {
      await fs.rename(join(base, 'root/folder'), join(base, 'moved'))
      await fs.symlink(join(base, 'outside'), join(base, 'root/folder'))
    }
    return { workspace: createWorkspace({ fs, root: join(base, 'root') }), replace }
  }

  test.each(['folder', 'folder/inside'])(
    'does not enter a folder that was replaced after it listed %s',
    async (last) => {
      const { workspace, replace } = await replaceable()
      const failed: unknown[] = []
      const found: string[] = []
      const onError = (_: FileInfo, error: unknown) => failed.push(error)
      for await (const { path } of workspace.walk('.', { onError })) {
        found.push(path)
        if (path === last) await replace()
      }
      expect(found.join()).not.toContain('secret')
      expect(failed).toMatchObject([{ code: 'conflict', argument: 'path' }])
    },
  )

  test('ends with the error of a folder if nobody wants to know of it', async () => {
    const { workspace, replace } = await replaceable()
    const walk = workspace.walk()
    await walk.next()
    await replace()
    expect(await codeOf(walk.next())).toBe('conflict')
  })

  test('of deep folders looks twice at each entry', async () => {
    const root = scratchFolder()
    await fs.mkdir(join(root, ...Array.from({ length: 200 }, () => 'd')), { recursive: true })
    const calls = { lstat: 0, realpath: 0, readdir: 0 }
    const counted = (name: keyof typeof calls, call: (path: string) => Promise<unknown>) => ({
      [name]: (path: string) => {
        calls[name]++
        return call(path)
      },
    })
    const counting = {
      ...fs,
      ...counted('lstat', fs.lstat),
      ...counted('realpath', fs.realpath),
      ...counted('readdir', fs.readdir),
    }
    let entries = 0
    for await (const _ of createWorkspace({ fs: counting as typeof fs, root }).walk()) entries++
    expect(entries).toBe(200)
    expect(calls.lstat).toBeLessThan(410)
    expect(calls.readdir).toBe(201)
    expect(calls.realpath).toBeLessThan(5)
  })
})
