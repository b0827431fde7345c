// The table of frameworks in docs/measurements.md agrees with the tests.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { at } from '../../scripts/lib/project.mjs'

const section =
  /## Frameworks\n([\s\S]*?)\n## /.exec(readFileSync(at('docs', 'measurements.md'), 'utf8'))?.[1] ?? ''
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

/** Pattern that a test file must contain if a column says yes. */
const SHOWN: [column: number, pattern: RegExp][] = [
  [1, /two threads at once/],
  [2, /stream/i],
  [3, /expectTurns\((?![\s\S]*failures: \[\])|failures\.push\(500/],
  [4, /expectTurnAfterAbort|by an abort/],
]

test.each(rows)('the row of %s agrees with its test file', (...cells) => {
  const file = /`(.*)`/.exec(cells[5] ?? '')?.[1] ?? ''
  const source = readFileSync(at(file), 'utf8')
  expect(source).toMatch(/expectTurns?\(/)
  for (const [column, pattern] of SHOWN) {
    const says = cells[column] ?? ''
    expect(['two', 'yes', 'not tried']).toContain(says)
    expect(pattern.test(source), `${file}: ${says}, ${pattern}`).toBe(says !== 'not tried')
  }
})

test('every tested framework has a row', () => {
  const tried = readdirSync(at('tests', 'frameworks')).filter(
    (name) =>
      name.endsWith('.test.ts') &&
      /expectTurns?\(/.test(readFileSync(at('tests', 'frameworks', name), 'utf8')) &&
      name !== 'table.test.ts',
  )
  for (const name of tried) expect(section).toContain(`tests/frameworks/${name}`)
})
