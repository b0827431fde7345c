// Two and three machines that write one session in a key-value storage, in every order of their calls, while one is killed
// or a call fails.
import { afterAll, describe, expect, test } from 'vitest'
import { type Action, keyValueWriters } from './key-value-writers.js'
import { explore, runsOf, sample } from './schedules.js'

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
const SINGLE: Action[][] = [['append'], ['edit'], ['erase'], ['fresh'], ['load'], ['remove']]
const withRemove: Action[][] = (['append', 'edit', 'load', 'remove'] as const).map((other) => [
  other,
  'remove',
])
/** Too many orders for all of them. */
const MANY: Action[][] = [
  ['append', 'append', 'append'],
  ['append', 'append', 'edit'],
  ['edit', 'edit', 'erase'],
  ['erase', 'erase', 'erase'],
  ['edits', 'edits', 'append'],
  ['fresh', 'fresh', 'fresh'],
]

const shown = (schedules: number) => Math.round(schedules).toLocaleString('en')
let total = 0

afterAll(() => console.log(`key-value: ${shown(total)} schedules`))

describe.each([
  ['two writers', PAIRS, {}],
  ['one writer, with two calls that fail', SINGLE, { failures: 2 }],
  ['two writers, with a call that fails', [['append', 'edit']], { failures: 1 }],
  [
    'two writers, one killed anywhere',
    [
      ['append', 'edit'],
      ['erase', 'append'],
    ],
    { kills: 1 },
  ],
  ['one writer and one that removes the session', withRemove, {}],
  ['three writers', TRIPLES, {}],
] as [string, Action[][], object][])(
  'a session in a key-value storage is consistent after every order of the calls of %s',
  (_, rows, options) => {
    test.each(rows.map((actions) => [actions.join(' | '), actions] as const))('%s', async (name, actions) => {
      const { faults, schedules, points } = await explore(keyValueWriters(actions, options))
      console.log(`${name}: ${shown(schedules)} schedules, ${points} points`, faults)
      total += schedules
      expect(faults).toEqual({})
    })
  },
)

test.each(
  [...PAIRS, ...withRemove, ...TRIPLES, ...MANY].map((actions) => [actions.join(' | '), actions] as const),
)(
  'a session in a key-value storage is consistent in a sample of the orders of %s, with failing calls and a kill',
  async (name, actions) => {
    const { faults, schedules, points } = await sample(
      keyValueWriters(actions, { kills: 1, failures: 2 }),
      runsOf(100),
    )
    console.log(`${name}: ${shown(schedules)} schedules drawn, ${points} ends`, faults)
    expect(faults).toEqual({})
  },
)
