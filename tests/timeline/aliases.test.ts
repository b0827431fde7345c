// A relative path that is the end of an absolute one may name another file.

import { fileStateAt, fileStates } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import { History } from './history.js'

const write = (history: History, path: string, content: string) =>
  history.use('write_file', { path, content }, 'Written')
const both = (first: string, second: string) =>
  write(write(new History().user(), first, 'a\n'), second, 'b\n')
const [absolute, relative] = ['/repo/packages/ui/package.json', 'package.json']

test.each([
  [absolute, relative],
  [relative, absolute],
])('%s is in doubt after a change of %s', (first, second) => {
  const { messages } = both(first, second)
  expect(fileStateAt(messages, first)).toMatchObject({ certainty: 'assumed', doubtfulSince: 3 })
  expect(fileStateAt(messages, second)).toMatchObject({ certainty: 'exact', content: 'b\n' })
  expect(fileStates(messages)).toEqual([fileStateAt(messages, first)])
})

test('a read by the other name is no certain one, and leaves what is certain', () => {
  const read = (content: string) =>
    write(new History().user(), absolute, 'a\n').use('read_file', { path: relative }, content).messages
  expect(fileStateAt(read('b\n'), absolute).certainty).toBe('assumed')
  expect(fileStateAt(read('a\n'), relative)).toMatchObject({ certainty: 'exact', content: 'a\n' })
  const edit = { path: relative, old_string: 'a', new_string: 'c' }
  const edited = write(new History().user(), absolute, 'a\n').use('edit_file', edit, 'Edited')
  expect(fileStateAt(edited.messages, absolute)).toMatchObject({ certainty: 'assumed', content: 'c\n' })
})

test.each([
  ['/one/a.ts', '/two/a.ts', 'a.ts'],
  ['/one/src/a.ts', 'src/a.ts', 'a.ts'],
])('of %s, %s and %s each is in doubt after a change of another', (...paths) => {
  for (const last of paths) {
    const first = paths.filter((path) => path !== last)
    const { messages } = [...first, last].reduce(
      (history, path) => write(history, path, path),
      new History().user(),
    )
    for (const path of first)
      expect(fileStateAt(messages, path)).toMatchObject({ certainty: 'assumed', content: path })
    expect(fileStateAt(messages, last)).toMatchObject({ certainty: 'exact', content: last })
  }
})

test('a path that the history does not use means the one that it uses', () => {
  const { messages } = write(new History().user(), absolute, 'a\n')
  expect(fileStateAt(messages, relative)).toMatchObject({ certainty: 'exact', content: 'a\n' })
})
