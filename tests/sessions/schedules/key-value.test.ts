// Two and three machines that write one session in a key-value storage, in every order of their calls.
import { afterAll, describe, expect, test } from 'vitest'
import { type Action, keyValueWriters } from './key-value-writers.js'
import { explore } from './schedules.js'

const PAIRS: Action[][] = [
  ['append', 'append'],
  ['append', 'edit'],
  ['append', 'erase'],
  ['edit', 'edit'],
  ['edit', 'erase'],
  ['erase', 'erase'],
  ['edits', 'append'],
  ['edits', 'edit'],
  ['fresh', 'fresh'],
  ['append', 'load'],
  ['edits', 'load'],
  ['erase', 'load'],
]
const TRIPLES: Action[][] = [
  ['append', 'edit', 'load'],
  ['append', 'erase', 'load'],
]

const shown = (schedules: number) => Math.round(schedules).toLocaleString('en')
let total = 0

afterAll(() => console.log(`key-value: ${shown(total)} schedules`))

describe.each([
  ['two writers', PAIRS],
  ['three writers', TRIPLES],
] as [string, Action[][]][])('in every order of the calls of %s', (_, rows) => {
  test.each(rows.map((actions) => [actions.join(' | '), actions] as const))('%s', async (name, actions) => {
    const { faults, schedules, points } = await explore(keyValueWriters(actions))
    console.log(`${name}: ${shown(schedules)} schedules, ${points} points`, faults)
    total += schedules
    expect(faults).toEqual({})
  })
})
