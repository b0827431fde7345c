// What the model is told of failures: nothing of the host's disk, and its own names of arguments.
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { createReadTool, createTools, runToolCall, type Tool } from 'trimtab/tools'
import { createWorkspace } from 'trimtab/workspace'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../workspace/folder.js'
import { setUp } from './set-up.js'

type Call = (...args: unknown[]) => unknown

/** Node's file system, in which some functions are denied below a folder of this name. */
function denying(denied: string, ...names: string[]): typeof fs {
  return new Proxy(fs, {
    get(target, key) {
      const member = Reflect.get(target, key) as Call
      if (!names.includes(String(key))) return member
      return async (path: string, ...rest: unknown[]) => {
        if (!path.includes(denied)) return member.call(target, path, ...rest)
        const syscall = key === 'readdir' ? 'scandir' : key === 'readFile' ? 'open' : String(key)
        const reason = `EACCES: permission denied, ${syscall} '${path}'`
        throw Object.assign(new Error(reason), { code: 'EACCES', syscall, path })
      }
    },
  })
}

const run = (tools: readonly Tool[], name: string, args: object) =>
  runToolCall(tools, { name, arguments: JSON.stringify(args) })

async function folder(): Promise<string> {
  const root = scratchFolder()
  await fs.mkdir(join(root, 'den'))
  await fs.writeFile(join(root, 'den', 'a.txt'), 'one\n')
  return root
}

describe('a denied file or folder', () => {
  test.each<[string, object, string[], string]>([
    ['read_file', { file_paths: ['den/a.txt'] }, ['open'], 'den/a.txt: cannot be read: permission denied'],
    [
      'read_lines',
      { path: 'den/a.txt', start: 1, end: 1 },
      ['open'],
      'den/a.txt: cannot be read: permission denied',
    ],
    [
      'write_file',
      { path: 'den/a.txt', content: 'two' },
      ['rename'],
      'den/a.txt: cannot be written: permission denied',
    ],
    [
      'write_file',
      { path: 'den/b.txt', content: 'two' },
      ['lstat', 'realpath'],
      'den/b.txt: cannot be reached: permission denied',
    ],
    [
      'edit_file',
      { path: 'den/a.txt', old_string: 'one', new_string: 'two' },
      ['rename', 'unlink'],
      'den/a.txt: cannot be written: permission denied; the temporary file could not be removed',
    ],
    ['list_files', { path: 'den' }, ['readdir'], 'den: cannot be listed: permission denied'],
    [
      'search',
      { pattern: 'one', path: 'den/a.txt' },
      ['open'],
      'den/a.txt: cannot be read: permission denied',
    ],
  ])('%s %j says so in plain words', async (name, args, denied, expected) => {
    const root = await folder()
    const tools = createTools(createWorkspace({ fs: denying('/den', ...denied), root }))
    const { content, isError } = await run(tools, name, args)
    expect(isError).toBe(true)
    expect(content).toContain(expected)
    expect(content).not.toMatch(/EACCES|trimtab-tmp/)
    expect(content).not.toContain(root)
  })

  test('is named by a listing and a search that go on', async () => {
    const root = await folder()
    const tools = createTools(createWorkspace({ fs: denying('/den', 'readdir', 'open'), root }))
    const listed = await run(tools, 'list_files', { recursive: true })
    expect(listed.content).toContain('[Not listed: den; den: cannot be listed: permission denied]')
    const reading = createTools(createWorkspace({ fs: denying('/a.txt', 'open'), root }))
    const found = await run(reading, 'search', { pattern: 'one' })
    expect(found.content).toContain('den/a.txt: cannot be read: permission denied')
    expect(found.content).not.toContain(root)
  })

  test('is a file of any source', async () => {
    const source = denying('a.txt', 'readFile')
    const tool = createReadTool({ readFile: (path) => source.readFile(join('/home/ana', path)) })
    const { content } = await run([tool], 'read_file', { file_paths: ['a.txt'] })
    expect(content).toContain('permission denied')
    expect(content).not.toMatch(/EACCES|\/home/)
  })
})

test('a root that cannot be opened is named without its path', async () => {
  const root = await folder()
  const tools = createTools(createWorkspace({ fs, root: join(root, 'none "of" these') }))
  const { content } = await run(tools, 'list_files', {})
  expect(content).toBe("Error: the workspace's root is not there: make the folder first")
})

test.each([
  ['write_file', { content: 'a\ud800' }, 'content'],
  ['append_to_file', { content: 'a\ud800' }, 'content'],
  ['edit_file', { old_string: 'one', new_string: 'a\ud800' }, 'new_string'],
  ['edit_file', { old_string: 'a\ud800', new_string: '' }, 'old_string'],
  ['update_section', { header: 'a', content: 'a\ud800' }, 'content'],
])('half a character is refused with the name of the argument: %s', async (name, args, argument) => {
  const { run: call } = setUp()
  const { content } = await call(name, { path: 'a.txt', ...args })
  expect(content).toBe(
    `Error: ${argument} has half of a surrogate pair at position 1: a file cannot hold it; send the whole character`,
  )
})
