// Behaviour of other operating systems' file systems, imitated here.
import { readdirSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createWorkspace, type FileSystem } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { codeOf } from './code-of.js'
import { scratchFolder } from './folder.js'

/** Node's file system, insensitive to case and to the composition of `é`, as on macOS. */
function foldingFs(): FileSystem {
  const fold = (name: string) => name.normalize('NFD').toLowerCase()
  const spelled = (path: string): string => {
    if (path === dirname(path)) return path
    const folder = spelled(dirname(path))
    try {
      const found = readdirSync(folder).find((name) => fold(name) === fold(basename(path)))
      return join(folder, found ?? basename(path))
    } catch {
      return join(folder, basename(path))
    }
  }
  return {
    ...fs,
    open: (path: string, flags: string, mode?: number) => fs.open(spelled(path), flags, mode),
    lstat: (path: string) => fs.lstat(spelled(path)),
    stat: (path: string) => fs.stat(spelled(path)),
    realpath: (path: string) => fs.realpath(spelled(path)),
    readdir: (path: string) => fs.readdir(spelled(path)),
    mkdir: (path: string) => fs.mkdir(spelled(path)),
    link: (from: string, to: string) => fs.link(from, spelled(to)),
    rename: (from: string, to: string) => fs.rename(from, spelled(to)),
    unlink: (path: string) => fs.unlink(spelled(path)),
  } as FileSystem
}

describe('a file system that ignores case', () => {
  test('has one path for a file, however it is spelled', async () => {
    const root = scratchFolder()
    const workspace = createWorkspace({ fs: foldingFs(), root })
    const { digest } = await workspace.writeFile('Docs/README.md', 'one')
    expect((await workspace.readFile('docs/readme.MD')).path).toBe('Docs/README.md')
    expect(await codeOf(workspace.writeFile('DOCS/readme.md', 'x', { expectedDigest: null }))).toBe(
      'conflict',
    )
    const second = await workspace.writeFile('docs/Readme.md', 'two', { expectedDigest: digest })
    expect(second).toMatchObject({ path: 'Docs/README.md', created: false })
    expect(second.warning).toBeUndefined()
    expect(Object.keys(workspace.reads.toJSON())).toEqual(['Docs/README.md'])
    expect((await workspace.list('docs')).map(({ path }) => path)).toEqual(['Docs/README.md'])
    await fs.symlink(dirname(root), join(root, 'Out'))
    expect(await codeOf(workspace.list('out'))).toBe('invalid_path')
  })

  test('a folder that differs from the root only in case is outside of it', async () => {
    const folder = scratchFolder()
    await fs.mkdir(join(folder, 'root'))
    await fs.mkdir(join(folder, 'ROOT'))
    await fs.writeFile(join(folder, 'ROOT/secret'), 'x')
    await fs.symlink(join(folder, 'ROOT'), join(folder, 'root/link'))
    expect(await codeOf(createWorkspace({ fs, root: join(folder, 'root') }).readFile('link/secret'))).toBe(
      'invalid_path',
    )
  })
})

/** Windows, limited to file lookups: backslashes in its answers, and links resolved to their full path. */
function windowsFs(links: Record<string, string>): FileSystem {
  const native = (path: string) => path.replaceAll('/', '\\')
  const stat = (kind: 'file' | 'folder' | 'link') => ({
    size: 3,
    mode: 0o666,
    dev: 1,
    ino: 1,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
  })
  const refuse = async () => {
    throw new Error('not played')
  }
  return {
    realpath: async (path) => links[native(path)] ?? native(path),
    lstat: async (path) => {
      if (native(path) in links) return stat('link')
      return stat(/\.txt$/.test(path) ? 'file' : 'folder')
    },
    stat: refuse,
    open: refuse,
    readdir: refuse,
    mkdir: refuse,
    link: refuse,
    rename: refuse,
    unlink: refuse,
  }
}

describe.each(['C:\\work\\root', 'C:\\', '\\\\server\\share\\root'])(
  'a workspace on Windows, below %s',
  (root) => {
    const start = root.endsWith('\\') ? root : `${root}\\`
    const links = {
      [`${start}inside`]: `${start}real`,
      [`${start}drive`]: 'D:\\secret',
      [`${start}twin`]: `${root.replace(/\\$/, '')}-twin\\secret`,
      [`${start}share`]: '\\\\other\\share\\secret',
    }
    const workspace = createWorkspace({ fs: windowsFs(links), root })

    test('gives paths with slashes and follows links within the root', async () => {
      expect(await workspace.stat('a/b.txt')).toEqual({ path: 'a/b.txt', kind: 'file', size: 3 })
      expect((await workspace.stat('inside/b.txt'))?.path).toBe('real/b.txt')
      expect((await workspace.stat('.'))?.kind).toBe('folder')
    })

    test.each(['drive', 'drive/x.txt', 'twin', 'twin/x.txt', 'share/x.txt'])(
      'refuses %s, which leads out of the root',
      async (path) => {
        expect(await codeOf(workspace.stat(path))).toBe('invalid_path')
      },
    )
  },
)
