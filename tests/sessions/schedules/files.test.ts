// Two and three processes that write one session's file, in every order of their file system calls.
import { afterAll, describe, expect, test } from 'vitest'
import { type Action, fileWriters } from './file-writers.js'
import { explore } from './schedules.js'

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

const shown = (schedules: number) => Math.round(schedules).toLocaleString('en')
let total = 0

afterAll(() => console.log(`files: ${shown(total)} schedules`))

describe.each([
  ['two writers', [...pairs, ['fresh', 'fresh'], ...withReader], {}],
  ['two writers, one killed anywhere', [...pairs, ['fresh', 'fresh'], ...withReader], { kills: 1 }],
  ['three writers', triples, {}],
] as [string, Action[][], object][])('in every order of the calls of %s', (_, rows, options) => {
  test.each(rows.map((actions) => [actions.join(' | '), actions] as const))('%s', async (name, actions) => {
    const { faults, schedules, points } = await explore(fileWriters(actions, options))
    console.log(`${name}: ${shown(schedules)} schedules, ${points} points`, faults)
    total += schedules
    expect(faults).toEqual({})
  })
})
