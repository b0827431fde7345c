// The figures of a tool's own report: a state that they contradict is not known.

import { fileEdits, fileStateAt } from 'trimtab/timeline'
import { expect, test } from 'vitest'
import figures from './figures.json' with { type: 'json' }
import { History } from './history.js'

const rows = (cases: unknown) => cases as [tool: string, args: object, answer: string][]
const after = (tool: string, args: object, answer: string) =>
  new History()
    .user()
    .use('write_file', { path: 'a.md', content: 'x\ny\ny\né' }, 'Written: a.md')
    .use(tool, { path: 'a.md', ...args }, answer).messages

test.each(rows(figures.contradicted))('%s of %j is contradicted by %j', (...row) => {
  expect(fileStateAt(after(...row), 'a.md')).toMatchObject({ certainty: 'unknown', content: null })
  expect(fileEdits(after(...row))).toHaveLength(2)
})

test.each(rows(figures.agreeing))('%s of %j agrees with %j', (...row) => {
  expect(fileStateAt(after(...row), 'a.md').certainty).toBe('exact')
})
