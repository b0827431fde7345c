// Counts that `npm run bench -- money --hazards` makes over sessions, and the curves that it fits to them.

import { describe, expect, test } from 'vitest'
import { cellsOf, exposuresOf, fitCurve, scaleOf } from '../../benches/money/hazards.js'

type Exposure = { kind: string; idle: number; next: boolean; ever: boolean }

let calls = 0
/** A step: a call and its result. */
function step(name: string, input: object, content: string, isError = false): object[] {
  const id = `t${calls++}`
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  ]
}
const text = (path: string) => `a line of ${path}\n`.repeat(40)
const read = (path: string, range: object = {}) =>
  step('Read', { file_path: path, ...range }, JSON.stringify(range) + text(path))
const edit = (path: string) =>
  step('Edit', { file_path: path, old_string: `a line of ${path}\n`, new_string: 'b\n' }, 'ok')
const run = (command: string, isError = false) =>
  step('Bash', { command }, `${command}\n`.repeat(40), isError)

function exposures(...steps: object[][]): string[] {
  const messages = [
    { role: 'user', content: 'Go on.' },
    ...steps.flat(),
    { role: 'assistant', content: 'Done.' },
  ]
  const found: Exposure[] = exposuresOf({ messages, options: { format: 'anthropic' } })
  return found.map(
    ({ kind, idle, next, ever }) => `${kind} ${idle}${next ? ' next' : ''}${ever ? ' ever' : ''}`,
  )
}

describe('exposuresOf', () => {
  test('counts a read as needed by an edit of its text, and as idle since the last use of its file', () => {
    expect(exposures(read('a.ts'), run('ls'), edit('a.ts'), run('ls'), run('ls'))).toEqual([
      // The second request after the read edits the file.
      'read 1 next ever',
      'changed 1',
      'changed 2',
      'changed 3',
    ])
  })

  test('counts a read as overtaken by a newer read of the same lines or the whole file', () => {
    expect(exposures(read('a.ts', { offset: 5, limit: 3 }), read('a.ts'), run('ls')).slice(0, 2)).toEqual([
      'overtaken 1',
      'overtaken 2',
    ])
    expect(exposures(read('a.ts'), read('a.ts', { offset: 5, limit: 3 }), run('ls'))[0]).toMatch(/^read/)
  })

  test('counts reads as past after a later read of the changed file', () => {
    const lines = (offset: number) => read('a.ts', { offset, limit: 9 })
    const found = exposures(read('a.ts'), edit('a.ts'), lines(20), run('ls'), run('ls'))
    expect(found.filter((one) => /^(changed|past)/.test(one)).slice(0, 4)).toEqual([
      // The next request names the file, so the newest read of it is still needed then.
      'changed 1 next ever',
      'past 1',
      'past 2',
      'past 3',
    ])
    expect(exposures(lines(1), lines(20), run('ls')).join()).not.toMatch('past')
  })

  test('counts a read of some lines as past after a successful change, but not a read of the whole file', () => {
    const lines = read('a.ts', { offset: 1, limit: 9 })
    const failed = step('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, 'no x', true)
    expect(exposures(lines, edit('a.ts'), run('ls')).join()).toMatch(/past 1,past 2/)
    expect(exposures(read('a.ts'), edit('a.ts'), run('ls')).join()).not.toMatch('past')
    expect(exposures(lines, failed, run('ls')).join()).not.toMatch('past')
  })

  test('counts a failure until its command runs again, and printed files, but no other output', () => {
    expect(exposures(run('make', true), run('ls'), run('make'), run('ls'))).toEqual(['failure 1 next ever'])
    expect(exposures(run('make'), run('cat a.ts; ls'), run('ls'))).toEqual(['print 1'])
  })
})

describe('scaleOf', () => {
  const many = (n: number, idle: number, next: boolean) =>
    Array.from({ length: n }, () => ({ kind: 'read', idle, next, ever: next }))
  const soon = [...many(50, 1, true), ...many(50, 1, false)]
  const late = [...many(10, 30, true), ...many(990, 30, false)]

  test('is 1 for a session that differs only in its idle times', () => {
    expect(scaleOf(late, [...soon, ...late], 'read', 'next')).toBe(1)
    expect(scaleOf([...soon, ...late], [...soon, ...late], 'read', 'next')).toBe(1)
  })

  test('is the ratio to all sessions, and near 1 for few counts', () => {
    const all = [...soon, ...many(100, 1, false)]
    expect(scaleOf(soon, all, 'read', 'next')).toBeCloseTo(51 / 26, 2)
    expect(scaleOf(many(2, 1, false), all, 'read', 'next')).toBeCloseTo(1 / 1.5, 2)
    expect(scaleOf([], all, 'print', 'ever')).toBe(1)
  })
})

describe('fitCurve and cellsOf', () => {
  const cells = (height: number, width: number, floor: number) =>
    Array.from({ length: 80 }, (_, i) => {
      const idle = i + 1
      const n = 20_000
      return { idle, n, yes: Math.round(n * (height / (1 + (idle / width) ** 2) + floor)) }
    })

  test.each([
    [0.06, 10, 0.001],
    [0.3, 2, 0.003],
    [0.3, 60, 0.02],
  ])('recover a curve that begins at %f', (height, width, floor) => {
    const found = fitCurve(cells(height, width, floor))
    const at = (idle: number, [h = 0, w = 1, f = 0]: number[]) => h / (1 + (idle / w) ** 2) + f
    for (const idle of [1, 5, 20, 80]) {
      const expected = at(idle, [height, width, floor])
      expect(Math.abs(at(idle, found) - expected)).toBeLessThan(0.1 * expected)
    }
  })

  test('count exposures by idle requests', () => {
    const one = (idle: number, next: boolean) => ({ kind: 'read', idle, next, ever: true })
    const counted = cellsOf([one(2, true), one(1, false), one(2, false)], 'read', 'next')
    expect(counted).toEqual([
      { idle: 1, n: 1, yes: 0 },
      { idle: 2, n: 2, yes: 1 },
    ])
    expect(cellsOf([one(1, true)], 'failure', 'next')).toEqual([])
  })
})
