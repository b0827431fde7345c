// Reads with arguments of unknown meaning, which may ask for a part, a page, or the file of another version or host.

import { project, smartRetention } from 'trimtab'
import { fileStateAt } from 'trimtab/timeline'
import { describe, expect, test } from 'vitest'
import rows from '../fixtures/read-arguments.json' with { type: 'json' }
import { History } from './history.js'

const WHOLE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'
const PART = 'three\nfour\n'

/** A file that was written, then read with more arguments than its path. */
const readWith = (args: object, result: string) =>
  new History()
    .user()
    .use('write_file', { path: 'a.ts', content: WHOLE }, 'Written: a.ts')
    .use('read_file', { path: 'a.ts', ...args }, result).messages

describe('the state of a file', () => {
  test.each(rows.same)('is what a read with %j shows', (args) => {
    const state = fileStateAt(readWith(args, 'new\n'), 'a.ts')
    expect(state).toMatchObject({ certainty: 'exact', content: 'new\n' })
  })

  test.each(rows.other)('stays as it was known after a read with %j', (args) => {
    for (const result of [PART, '     1\tthree\n     2\tfour\n']) {
      const state = fileStateAt(readWith(args, result), 'a.ts')
      expect(state).toMatchObject({ certainty: 'exact', content: WHOLE })
    }
  })

  test('is not known from such a read of one of several files', () => {
    const history = new History().user()
    history.use('read_file', { files: [{ path: 'a.ts', symbol: 'f' }] }, PART)
    expect(fileStateAt(history.messages, 'a.ts').certainty).toBe('unknown')
  })
})

describe('a pointer to another read', () => {
  const reads = (args: (at: number) => object) => {
    const history = new History().user()
    const page = (at: number) => `page ${at}\n`.repeat(200)
    for (let at = 0; at < 4; at++) history.use('Read', { file_path: 'm.pdf', ...args(at) }, page(at))
    const view = JSON.stringify(project(history.messages, smartRetention()).messages)
    return view.split('[Re-read of m.pdf').length - 1
  }

  test.each(rows.other)('never stands for one with %j', (args) => {
    expect(reads(() => args)).toBe(0)
    expect(reads((at) => (at > 0 && at < 3 ? args : {}))).toBe(1)
  })

  test.each(rows.same)('stands for one with %j', (args) => {
    expect(reads(() => args)).toBe(2)
  })
})
