// Names that are not regular files: pipes, sockets, devices, folders, dangling links. Every function that
// takes a path or a root refuses them at once: opening a pipe without a writer, or reading a device, would
// never end.
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { TrimtabError } from 'trimtab'
import { fileStore, loadSession, saveSession } from 'trimtab/sessions'
import { createTools, runToolCall } from 'trimtab/tools'
import { createWorkspace, type Workspace } from 'trimtab/workspace'
import { describe, expect, onTestFinished, test } from 'vitest'
import { codeOf } from './code-of.js'
import { scratchFolder } from './folder.js'

/** Error code for each kind, by its name in the folder. */
const REFUSED: Record<string, string> = {
  pipe: 'not_a_file',
  socket: 'not_a_file',
  folder: 'not_a_file',
  'dangling-link': 'invalid_path',
  'looping-link': 'invalid_path',
  'link-to-pipe': 'not_a_file',
  'link-to-folder': 'not_a_file',
  'link-to-device': 'invalid_path',
}
const KINDS = Object.keys(REFUSED)

/** Makes a folder with one of each kind, named by the kind and `ending`. */
async function folderOfAll(ending = ''): Promise<string> {
  const folder = scratchFolder()
  const at = (name: string) => join(folder, name + ending)
  expect(spawnSync('mkfifo', [at('pipe')]).status).toBe(0)
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
  mkdirSync(at('folder'))
  symlinkSync('nothing', at('dangling-link'))
  symlinkSync(`looping-link${ending}`, at('looping-link'))
  symlinkSync(`pipe${ending}`, at('link-to-pipe'))
  symlinkSync(`folder${ending}`, at('link-to-folder'))
  symlinkSync('/dev/zero', at('link-to-device'))
  return folder
}

/** Functions of a workspace that take a path. */
const CALLS: Record<string, (workspace: Workspace, path: string) => Promise<unknown>> = {
  readFile: (workspace, path) => workspace.readFile(path),
  writeFile: (workspace, path) => workspace.writeFile(path, 'new'),
  'writeFile of a new file': (workspace, path) => workspace.writeFile(path, 'new', { expectedDigest: null }),
  remove: (workspace, path) => workspace.remove(path),
}

/** Arguments of the tools for a path. */
const TOOL_CALLS: Record<string, (path: string) => object> = {
  read_file: (path) => ({ file_paths: [path] }),
  read_lines: (path) => ({ path, start: 1, end: 2 }),
  write_file: (path) => ({ path, content: 'new' }),
  edit_file: (path) => ({ path, old_string: 'a', new_string: 'b' }),
  append_to_file: (path) => ({ path, content: 'new' }),
  prepend_to_file: (path) => ({ path, content: 'new' }),
  update_section: (path) => ({ path, header: '# a', content: 'new' }),
}

async function answerOf(workspace: Workspace, name: string, args: object): Promise<string> {
  const { content } = await runToolCall(createTools(workspace), { name, arguments: JSON.stringify(args) })
  return content
}

describe.skipIf(process.platform === 'win32')(
  'entries that are not regular files',
  { timeout: 10_000 },
  () => {
    test.each(Object.keys(CALLS))('are refused by %s of a workspace', async (name) => {
      const workspace = createWorkspace({ fs, root: await folderOfAll() })
      for (const kind of KINDS)
        expect([kind, await codeOf(CALLS[name]?.(workspace, kind) as Promise<unknown>)]).toEqual([
          kind,
          REFUSED[kind],
        ])
    })

    test.each(Object.keys(TOOL_CALLS))('are refused by the tool %s with a readable message', async (name) => {
      const workspace = createWorkspace({ fs, root: await folderOfAll() })
      for (const kind of KINDS) {
        const answer = await answerOf(workspace, name, TOOL_CALLS[name]?.(kind) as object)
        expect(answer).toMatch(
          /is not a file|it is a folder|leads to nothing|leads back to itself|leads out of the root/,
        )
        expect(answer).not.toMatch(/E[A-Z]{4,}|no such tool/)
      }
    })

    test('give no access to paths below them', async () => {
      const workspace = createWorkspace({ fs, root: await folderOfAll() })
      for (const kind of [
        'pipe',
        'socket',
        'dangling-link',
        'looping-link',
        'link-to-pipe',
        'link-to-device',
      ]) {
        const path = `${kind}/file`
        expect(await codeOf(workspace.readFile(path))).toMatch(/^(not_found|not_a_file|invalid_path)$/)
        expect(await codeOf(workspace.writeFile(path, 'x'))).toMatch(/^(not_a_file|invalid_path)$/)
        expect(await codeOf(workspace.list(path))).toMatch(/^(not_found|invalid_path)$/)
      }
    })

    test('are not opened if they are devices', async () => {
      const workspace = createWorkspace({ fs, root: '/dev' })
      for (const name of ['zero', 'full', 'null', 'random'])
        for (const call of Object.values(CALLS).slice(0, 3))
          expect(await codeOf(call(workspace, name))).toMatch(/^(not_a_file|conflict)$/)
    })

    test('are listed, but not searched', async () => {
      const root = await folderOfAll()
      writeFileSync(join(root, 'text.txt'), 'needle\n')
      const workspace = createWorkspace({ fs, root })
      const listed = await workspace.list()
      expect(listed.map(({ path }) => path)).toEqual([...KINDS, 'text.txt'].sort())
      const kinds = Object.fromEntries(listed.map(({ path, kind }) => [path, kind]))
      expect(kinds).toMatchObject({
        pipe: 'other',
        socket: 'other',
        folder: 'folder',
        'looping-link': 'other',
      })
      expect(await answerOf(workspace, 'list_files', { recursive: true })).toContain('text.txt')
      expect(await answerOf(workspace, 'search', { pattern: 'needle' })).toContain('text.txt:1')
      for (const kind of KINDS.filter((kind) => !kind.includes('folder')))
        for (const name of ['search', 'list_files'])
          expect(await answerOf(workspace, name, { pattern: 'needle', path: kind })).toMatch(
            /is not a folder|leads to nothing|leads back to itself|leads out of the root/,
          )
    })

    test('do not block a read if a file is replaced with a pipe', async () => {
      const root = scratchFolder()
      writeFileSync(join(root, 'file'), 'x')
      const late: typeof fs = {
        ...fs,
        open: async (path, flags, mode) => {
          await fs.rm(path, { force: true })
          spawnSync('mkfifo', [String(path)])
          return fs.open(path, flags, mode)
        },
      }
      expect(await codeOf(createWorkspace({ fs: late, root }).readFile('file'))).toBe('not_a_file')
    })

    test('are refused as a root', async () => {
      const folder = await folderOfAll()
      for (const kind of KINDS.filter((kind) => !kind.includes('folder'))) {
        const workspace = createWorkspace({ fs, root: join(folder, kind) })
        for (const call of [...Object.values(CALLS), () => workspace.list(), () => workspace.stat('a')])
          await expect(call(workspace, 'a')).rejects.toMatchObject({ name: 'TrimtabError', argument: 'root' })
      }
    })

    test('are neither read nor replaced as session files', async () => {
      const folder = await folderOfAll('.jsonl')
      const store = fileStore({ fs, folder })
      const history = [{ role: 'user', content: 'x' }]
      for (const kind of KINDS) {
        expect([kind, await codeOf(loadSession(store, kind))]).toEqual([
          kind,
          expect.stringMatching(/^(unreadable_session|store_failed)$/),
        ])
        expect(await codeOf(saveSession(store, kind, { history }))).not.toMatch(/^(no error|another error)/)
        expect(await codeOf(store.remove(kind))).toMatch(/^(unreadable_session|store_failed)$/)
      }
      expect((await fs.readdir(folder)).sort()).toEqual(KINDS.map((kind) => `${kind}.jsonl`).sort())
    })

    test('are refused as a folder of sessions', async () => {
      const folder = await folderOfAll()
      const history = [{ role: 'user', content: 'x' }]
      for (const kind of ['pipe', 'socket', 'looping-link', 'link-to-pipe', 'link-to-device']) {
        const store = fileStore({ fs, folder: join(folder, kind) })
        const calls = [
          loadSession(store, 's'),
          saveSession(store, 's', { history }),
          store.list(),
          store.remove('s'),
        ]
        expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'store_failed'))
      }
    })
  },
)

test('a refused path causes a TrimtabError that names it', async () => {
  const root = scratchFolder()
  mkdirSync(join(root, 'folder'))
  const error: unknown = await createWorkspace({ fs, root })
    .readFile('folder')
    .catch((error: unknown) => error)
  expect(error).toBeInstanceOf(TrimtabError)
  expect(error).toMatchObject({ code: 'not_a_file', argument: 'path', message: 'folder is not a file' })
})
