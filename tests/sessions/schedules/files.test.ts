// Two and three processes that write one session's file, in every order of their file system calls, while one is killed,
// a call fails or the power does.
import { afterAll, describe, expect, test } from 'vitest'
import { type Action, fileWriters } from './file-writers.js'
import { explore, runsOf, sample } from './schedules.js'

const CHANGES = ['append', 'edit', 'erase'] as const
const pairs: Action[][] = CHANGES.flatMap((first, i) => CHANGES.slice(i).map((second) => [first, second]))

/** An edit makes the same calls as an append. */
const triples: Action[][] = [
  ['append', 'append', 'edit'],
  ['append', 'edit', 'erase'],
  ['append', 'erase', 'erase'],
  ['erase', 'erase', 'erase'],
  ['fresh', 'fresh', 'fresh'],
  ['append', 'erase', 'load'],
]
const withReader: Action[][] = CHANGES.flatMap((change): Action[][] => [
  [change, 'load'],
  [change, 'load, append'],
])

const SINGLE: Action[][] = [['append'], ['edit'], ['erase'], ['fresh'], ['load'], ['remove']]
const withRemove: Action[][] = (['append', 'erase', 'load', 'remove'] as const).map((other) => [
  other,
  'remove',
])

const shown = (schedules: number) => Math.round(schedules).toLocaleString('en')
let total = 0

afterAll(() => console.log(`files: ${shown(total)} schedules`))

describe.each([
  ['two writers', [...pairs, ['fresh', 'fresh'], ...withReader], {}],
  ['two writers, one killed anywhere', [...pairs, ['fresh', 'fresh'], ...withReader], { kills: 1 }],
  ['one writer, with a call that fails', SINGLE, { failures: 1, power: true, tries: 1 }],
  ['one writer that retries after a call that fails', SINGLE, { failures: 1, power: true }],
  ['one writer that retries after two calls that fail', SINGLE, { failures: 2 }],
  [
    'two writers, with a call that fails',
    [
      ['append', 'erase'],
      ['erase', 'erase'],
    ],
    { failures: 1, temporaries: false },
  ],
  [
    'two writers, one killed anywhere, with a power failure',
    [
      ['append', 'erase'],
      ['append', 'load, append'],
      ['erase', 'load, append'],
      ['fresh', 'load, append'],
    ],
    { kills: 1, power: true },
  ],
  ['one writer and one that removes the session', withRemove, { power: true }],
  ['three writers', triples, { temporaries: false }],
] as [string, Action[][], object][])(
  'a session file is consistent after every order of the calls of %s',
  (_, rows, options) => {
    test.each(rows.map((actions) => [actions.join(' | '), actions] as const))('%s', async (name, actions) => {
      const { faults, schedules, points } = await explore(fileWriters(actions, options))
      console.log(`${name}: ${shown(schedules)} schedules, ${points} points`, faults)
      total += schedules
      expect(faults).toEqual({})
    })
  },
)

/** Two failures and a kill at once: too many orders for all of them. */
test.each([...pairs, ...withRemove, ...triples].map((actions) => [actions.join(' | '), actions] as const))(
  'a session file is consistent in a sample of the orders of %s, with failing calls, a kill and a power failure',
  async (name, actions) => {
    const { faults, schedules, points } = await sample(
      fileWriters(actions, { kills: 1, failures: 2, power: true }),
      runsOf(40),
    )
    console.log(`${name}: ${shown(schedules)} schedules drawn, ${points} ends`, faults)
    expect(faults).toEqual({})
  },
)
