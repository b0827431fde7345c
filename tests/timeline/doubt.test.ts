import { fileEdits, fileStateAt, fileStates } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import background from './background.json' with { type: 'json' }
import { History } from './history.js'
import lookingTools from './looking-tools.json' with { type: 'json' }

const written = () =>
  new History().user().use('write_file', { path: 'a.md', content: 'x\ny\n' }, 'Written: a.md')
const stateOf = (history: History, path: string) => fileStateAt(history.messages, path)

test.each([
  ['edit_file', { path: 'a.md', edits: [{ oldText: 'x', newText: 'q' }], dryRun: true }],
  ['write_file', { path: 'a.md', content: 'more\n', mode: 'append' }],
  ['write_file', { path: 'a.md', content: 'more\n', append: true }],
  ['write_file', { path: 'a.md', content: 'part', start_line: 1, end_line: 1 }],
  ['write_file', { path: 'a.md', content: 'eA==', encoding: 'base64' }],
  ['write_file', { path: 'a.md', content: 'z', overwrite: false }],
  ['edit_file', { path: 'a.md', old_str: 'x', new_str: 'q', occurrence: 2 }],
  ['edit_file', { path: 'a.md', old_str: 'x', new_str: 'q', regex: true }],
  ['search_and_replace', { path: 'a.md', search: 'x', replace: 'q', use_regex: true }],
  ['edit_file', { path: 'a.md', edits: [{ oldText: 'x', newText: 'q', all: 2 }] }],
])('%s of %j leaves a doubt', (tool, args) => {
  expect(stateOf(written().use(tool, args, 'Done'), 'a.md').certainty).not.toBe('exact')
})

test.each([
  [
    'write_file',
    { path: 'a.md', content: 'z\n', encoding: 'utf-8', mode: 'rewrite', overwrite: true },
    'z\n',
  ],
  ['edit_file', { path: 'a.md', old_str: 'x', new_str: 'q', regex: false, intent: 'why' }, 'q\ny\n'],
  ['edit_file', { path: 'a.md', old_str: 'x', new_str: 'q', dryRun: false, description: 'why' }, 'q\ny\n'],
])('%s of %j leaves none', (tool, args, content) => {
  expect(stateOf(written().use(tool, args, 'Done'), 'a.md')).toMatchObject({ certainty: 'exact', content })
})

test.each([
  ['delete_file', { path: 'src' }, 'assumed'],
  ['DeleteFile', { file_path: 'src/v1.2' }, 'assumed'],
  ['move_file', { path: '.github', destination: 'src' }, 'assumed'],
  ['delete_file', { path: 'src/b.ts' }, 'exact'],
])('%s of %j may take the files below', (tool, args, certainty) => {
  const history = new History().user().use('write_file', { path: 'src/v1.2/a.ts', content: 'x\n' }, 'Written')
  expect(stateOf(history.use(tool, args, 'Done'), 'src/v1.2/a.ts').certainty).toBe(certainty)
})

test('a file that a patch moves over another one is another file', () => {
  const patch = '*** Begin Patch\n*** Update File: a.md\n*** Move to: b.md\n@@\n-x\n+z\n y\n*** End Patch'
  const history = written()
    .use('write_file', { path: 'b.md', content: 'old b\n' }, 'Written: b.md')
    .use('apply_patch', { input: patch }, 'Done')
  expect(stateOf(history, 'b.md').certainty).not.toBe('exact')
  expect(fileEdits(history.messages, { path: 'b.md' })).toHaveLength(2)
})

test.each(['a//é.md', './a/./é.md', 'a\\é.md', 'a/c/../é.md', 'a/e\u0301.md', 'file://a/é.md'])(
  'a read of %j is one of a/é.md',
  (spelling) => {
    const read = `=== ${spelling} ===\n     1\tone\n     2\ttwo`
    const history = new History().user().use('read_file', { file_paths: [spelling] }, read)
    expect(stateOf(history, 'a/é.md').content).toBe('one\ntwo\n')
  },
)

test.each(['one\u2028File: b.md (full)\ntwo\n', 'x\rFile: b.md (full)\ny\n'])(
  'a line of a view ends with a line feed only: %j',
  (text) => {
    const lines = text.split('\n').slice(0, -1)
    const head = `File: a.md (full)\nTotal lines: ${lines.length} | Preserved: ${lines.length} (100.0%)\n\n`
    const view = head + lines.map((line, i) => `${i + 1} | ${line}`).join('\n')
    const state = stateOf(new History().user().use('read_file', { file_paths: ['a.md'] }, view), 'a.md')
    expect([text, null]).toContain(state.content)
  },
)

const rows = (cases: unknown) => cases as [tool: string, args: object, answer: string][]
const afterIt = ([tool, args, answer]: [string, object, string]) =>
  new History().user().use(tool, args, answer).use('write_file', { path: 'a.md', content: 'x\n' }, 'Written')

test.each(rows(background.runs))('%s with %j, answered with %j, may go on changing files', (...row) => {
  const state = { certainty: 'assumed', content: 'x\n', doubtfulSince: 3 }
  expect(stateOf(afterIt(row), 'a.md')).toMatchObject(state)
  expect(fileStates(afterIt(row).messages)).toMatchObject([state])
  expect(fileStateAt(afterIt(row).messages, 'a.md', { moment: { message: 1 } }).certainty).toBe('unknown')
})

test.each(rows(background.ended))('%s with %j, answered with %j, changes nothing later', (...row) => {
  expect(stateOf(afterIt(row), 'a.md').certainty).toBe('exact')
})

test.each(rows(lookingTools.changes))('%s with %j may change files', (tool, args) => {
  expect(stateOf(written().use(tool, args, 'x'), 'a.md').certainty).toBe('assumed')
})

test.each(rows(lookingTools.looks))('%s with %j only looks', (tool, args) => {
  expect(stateOf(written().use(tool, args, 'x'), 'a.md').certainty).toBe('exact')
})

test.each([
  'x\n<system-reminder>\nNote: a.md was modified, either by the user or by a linter.\n</system-reminder>',
  'File has been modified since read, either by the user or by a linter.',
  'a.md changed on disk',
])('any result may tell of a change by another: %j', (answer) => {
  const edit = { path: 'a.md', old_string: 'x', new_string: 'q' }
  expect(stateOf(written().use('read_file', { path: 'b.md' }, answer), 'a.md').certainty).toBe('assumed')
  expect(stateOf(written().use('edit_file', edit, `Error: ${answer}`), 'a.md').certainty).toBe('assumed')
})
