import { convertMessages } from 'trimtab/formats'
import { changelog, compressEdits, fileEdits } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'
import { History } from './history.js'

const edit = (path: string, old_string: string, new_string: string, intent?: string) => ({
  path,
  old_string,
  new_string,
  ...(intent === undefined ? {} : { intent }),
})

function session(): History {
  const history = new History().user('make it better')
  history.use(
    'edit_file',
    edit('core/agent.py', 'keep(30)', 'keep(50)', 'Increased tool retention for better context'),
    'ok',
  )
  history.use('edit_file', edit('config.py', 'A', 'B', 'Modified system prompt'), 'ok')
  history.use(
    'edit_file',
    edit('config.py', 'no', 'x', 'Never happened'),
    'Error: old_string not found in config.py',
  )
  history.use('read_file', { path: 'config.py' }, 'B\n')
  for (let turn = 2; turn <= 9; turn++) history.user(`turn ${turn}`).answer('Done.')
  history.user('turn 10').use('edit_file', edit('config.py', 'B', 'C', 'Modified system\nprompt'), 'ok')
  history.use('edit_file', edit('config.py', 'one\ntwo', 'three'), 'ok')
  return history.use('write_file', { path: 'new.py', content: 'x\ny\n' }, 'ok')
}

test('changelog lists each intent of a file once', () => {
  expect(changelog(session().messages)).toBe(
    '- core/agent.py: Increased tool retention for better context\n- config.py: Modified system prompt 2x',
  )
  expect(changelog([{ role: 'user', content: 'hi' }])).toBe('')
})

test('compressEdits has the form of the document', () => {
  expect(compressEdits(session().messages, { path: 'config.py' })).toBe(
    `[Edits to config.py: 3 changes between turns 1-10]
- Modified system prompt 2x
- Replaced 2 lines by 1 line at "one"
[Full diff available in ground truth]`,
  )
  expect(compressEdits(session().messages).split('\n\n')).toEqual([
    '[Edits to core/agent.py: 1 change in turn 1]\n- Increased tool retention for better context\n[Full diff available in ground truth]',
    compressEdits(session().messages, { path: 'config.py' }),
    '[Edits to new.py: 1 change in turn 10]\n- Written, 2 lines\n[Full diff available in ground truth]',
  ])
  expect(compressEdits(session().messages, { path: 'other.py' })).toBe('')
})

test.each([
  'ENOSPC: no space left on device, write',
  '{"error":"old_string is not unique"}',
  '{ "ok": false, "path": "a" }',
  'The user rejected this change.',
  'Permission to use edit_file was denied',
  'Tool call cancelled',
  'Write failed: disk full',
  'File has not been read yet. Read it first before writing to it.',
  'File has been modified since read, either by the user or by a linter.',
  'Invalid arguments',
  '{"written":false}',
  '{"result":"error: disk full"}',
  '{"type":"error","message":"x"}',
  '{"success":"false"}',
  '{"exitCode":1,"stderr":"boom"}',
  '{"is_error":true}',
])('fileEdits leaves out a change that was answered with %j', (answer) => {
  const { messages } = new History().user('go').use('edit_file', edit('a', 'x', 'y'), answer)
  expect(fileEdits(messages)).toEqual([])
})

test.each([
  '{"error":null,"path":"a"}',
  'Edited src/denied.ts',
  '{"ok":true}',
  '{"exitCode":0}',
  '{"constructor":1,"valueOf":1}',
  'EOF: reached',
  '',
])('fileEdits has a change that was answered with %j', (answer) => {
  const { messages } = new History().user('go').use('edit_file', edit('a', 'x', 'y'), answer)
  expect(fileEdits(messages)).toHaveLength(1)
})

test('fileEdits gives the turn and message of each edit', () => {
  expect(fileEdits(session().messages, { path: './config.py' })).toMatchObject([
    { path: 'config.py', tool: 'edit_file', intent: 'Modified system prompt', turn: 1, message: 3 },
    { turn: 10, message: 26 },
    { intent: null, what: 'Replaced 2 lines by 1 line at "one"', turn: 10 },
  ])
})

test.each(FORMATS)('changelog and compressEdits give the same for %s', (format) => {
  // Failed results are left out: Chat Completions has no error flag that could be converted.
  const { messages } = session()
  const made = messages.filter((_, i) => i !== 5 && i !== 6)
  const converted = convertMessages(made, format, { format: 'openai-chat' }).messages
  expect(compressEdits(converted)).toBe(compressEdits(messages))
  expect(changelog(converted, { format })).toBe(changelog(messages))
})
