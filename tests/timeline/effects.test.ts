// Whether a change was made, as its result tells: one decision for the lists of edits and the states of files.

import { changelog, compressEdits, fileEdits, fileStateAt } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import altered from './altered.json' with { type: 'json' }
import { History } from './history.js'
import made from './made.json' with { type: 'json' }
import unmade from './unmade.json' with { type: 'json' }

const written = () =>
  new History().user().use('write_file', { path: 'a.md', content: 'x\ny\n' }, 'Written: a.md')
const edit = { path: 'a.md', old_string: 'x', new_string: 'q', intent: 'why' }
const answered = (answer: string, more: object = {}) =>
  written().use('edit_file', { ...edit, ...more }, answer).messages
const edits = (messages: object[]) => [
  fileEdits(messages).length - 1,
  changelog(messages).includes('why') ? 1 : 0,
  compressEdits(messages).includes('why') ? 1 : 0,
]

test.each(unmade)('a change may not have been made that was answered with %j', (answer) => {
  const messages = answered(answer)
  expect(edits(messages)).toEqual([0, 0, 0])
  // What the engine takes for an error left the file as it was.
  const isError = /^(?:error:|failed to )/i.test(answer)
  expect(fileStateAt(messages, 'a.md')).toMatchObject(
    isError ? { certainty: 'exact', content: 'x\ny\n' } : { certainty: 'unknown', content: null },
  )
})

test.each(made)('a change was made that was answered with %j', (answer) => {
  const messages = answered(answer)
  expect(edits(messages)).toEqual([1, 1, 1])
  expect(fileStateAt(messages, 'a.md')).toMatchObject({ certainty: 'exact', content: 'q\ny\n' })
})

test.each(altered)('a change was made, and its content is another one: %j', (answer) => {
  const messages = answered(answer)
  expect(edits(messages)).toEqual([1, 1, 1])
  expect(fileStateAt(messages, 'a.md').certainty).not.toBe('exact')
})

test('a trial changes nothing', () => {
  expect(edits(answered('Done', { dry_run: true }))).toEqual([0, 0, 0])
  expect(edits(answered('Done', { dry_run: false }))).toEqual([1, 1, 1])
})

test('a read that was refused shows nothing', () => {
  const refused = unmade.filter((answer) => /^(?:The user|<tool_use_error>|Blocked by)/.test(answer))
  expect(refused).toHaveLength(3)
  for (const answer of refused) {
    const { messages } = new History().user().use('read_file', { path: 'a.md' }, answer)
    expect(fileStateAt(messages, 'a.md').certainty).toBe('unknown')
  }
})
