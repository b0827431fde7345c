// An agent's tools on the browser's own file system, in a real browser.
import type * as Trimtab from 'trimtab'
import type * as Sessions from 'trimtab/sessions'
import type * as Tools from 'trimtab/tools'
import type * as Workspaces from 'trimtab/workspace'
import { expect, test } from 'vitest'
import { useTabs } from '../sessions/browser/tab.js'

declare const trimtab: typeof Trimtab & typeof Sessions & typeof Workspaces
declare const tools: typeof Tools

const tabs = useTabs()

/** Calls of a model, with the first line of each result. */
const CALLS: [name: string, args: object, answer: string][] = [
  [
    'write_file',
    { path: 'src/greet.js', content: "export const greeting = 'Hello ä'\r\n" },
    'Written: src/greet.js (36 bytes)',
  ],
  [
    'write_file',
    { path: 'notes.md', content: '# Notes\n\n## State\n\nstarted\n' },
    'Written: notes.md (27 bytes)',
  ],
  ['read_file', { file_paths: ['src/greet.js', 'none.txt'] }, '=== src/greet.js ==='],
  [
    'edit_file',
    { path: 'src/greet.js', old_string: 'Hello', new_string: '$& Good day' },
    'Edited src/greet.js: replaced 5 chars with 11 chars',
  ],
  [
    'edit_file',
    { path: 'src/greet.js', old_string: 'Hello', new_string: 'x' },
    'Error: old_string not found in src/greet.js',
  ],
  ['append_to_file', { path: 'src/greet.js', content: '// end' }, 'Appended 6 chars to src/greet.js'],
  [
    'prepend_to_file',
    { path: 'new/deep/file.txt', content: 'made' },
    'Prepended 4 chars to new/deep/file.txt',
  ],
  [
    'update_section',
    { path: 'notes.md', header: 'State', content: 'done' },
    'Updated section "State" of notes.md: replaced 7 chars with 4 chars',
  ],
  ['list_files', { recursive: true }, 'new/'],
  ['list_files', { glob: '**/*.js' }, 'src/greet.js'],
  ['search', { pattern: 'Good' }, "src/greet.js:1: export const greeting = '$& Good day ä'"],
  ['read_lines', { path: 'src/greet.js', start: 2, end: 2 }, '=== src/greet.js ==='],
  [
    'read_file',
    { file_paths: ['../outside'] },
    'Error: Failed to read 1 file: ../outside: the path "../outside" is refused: `..` is not allowed: give the path from the root',
  ],
  [
    'write_file',
    { path: 'con', content: 'x' },
    'Error: the path "con" is refused: not every system can hold the name "con": choose one without <>:"|?*\\, without a dot or space at its end, and no device',
  ],
  [
    'edit_file',
    { path: 'none.txt', old_string: 'a', new_string: 'b' },
    'Error: none.txt: there is no such file. Use list_files to see what there is.',
  ],
]

test('file tools give the same answers in a browser', async () => {
  const told = await tabs.page().evaluate(async (calls) => {
    const workspace = trimtab.createWorkspace({ opfs: await navigator.storage.getDirectory() })
    const all = tools.createTools(workspace)
    const answers: string[] = []
    for (const [name, args] of calls) {
      const { content } = await tools.runToolCall(all, { name, arguments: JSON.stringify(args) })
      answers.push(content.split('\n')[0] as string)
    }
    return answers
  }, CALLS)
  expect(told).toEqual(CALLS.map(([, , answer]) => answer))
  // Another tab of the same user has the files, and is warned about those that it did not read.
  const tab = await tabs.open()
  const [text, warned] = await tab.evaluate(async () => {
    const workspace = trimtab.createWorkspace({ opfs: await navigator.storage.getDirectory() })
    const { bytes } = await workspace.readFile('src/greet.js', { track: false })
    const write = { name: 'write_file', arguments: '{"path":"src/greet.js","content":"x"}' }
    const { content } = await tools.runToolCall(tools.createTools(workspace), write)
    return [new TextDecoder().decode(bytes), content] as const
  })
  expect(text).toBe("export const greeting = '$& Good day ä'\r\n// end")
  expect(warned).toMatch(/^Written: src\/greet\.js \(1 bytes\)\nWarning: src\/greet\.js was not read before/)
})

test('an agent turn in a browser runs from the tool call to the saved session', async () => {
  const history = await tabs.page().evaluate(async () => {
    const workspace = trimtab.createWorkspace({ memory: { 'a.txt': 'secret once\n'.repeat(50) } })
    const context = new trimtab.Context(trimtab.rollingContext())
    const all = tools.createTools(workspace, { context })
    const input = { file_paths: ['a.txt'], ephemeral: true }
    const asked: object[] = [
      { role: 'user', content: 'look at a.txt' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input }] },
    ]
    const answers = await Promise.all(
      tools.openToolCalls(asked, { format: 'anthropic' }).map(async (call) => ({
        call,
        result: await tools.runToolCall(all, call),
      })),
    )
    const history = tools.addToolResults(asked, answers, { format: 'anthropic' })
    const store = trimtab.indexedDbStore()
    await trimtab.saveSession(store, 's', { history, reads: workspace.reads.toJSON() })
    const ended = context.endTurn([...history, { role: 'assistant', content: 'seen' }])
    await trimtab.saveSession(store, 's', { history: ended })
    return [JSON.stringify(history), JSON.stringify(await store.read('s'))]
  })
  expect(history[0]).toContain('secret once')
  expect(history[1]).not.toContain('secret once')
  expect(history[1]).toContain('seen')
})
