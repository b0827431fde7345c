// What is known of a file after reads of its parts, against a map from line numbers to lines.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fragment } from '../../js/dist/timeline/read-text.js'
import { afterRead, fragmentsOf, type Known, NOTHING } from '../../js/dist/timeline/replay.js'
import { runs } from '../node/random.js'

const fragment = fc
  .record({ start: fc.integer({ min: 1, max: 30 }), length: fc.nat(8), other: fc.nat(40) })
  // Most lines are those of one file; a few are not.
  .map(({ start, length, other }): Fragment => {
    const text = (line: number) => (other === 0 ? `another ${line}` : `line ${line}`)
    return { start, lines: Array.from({ length }, (_, i) => text(start + i)) }
  })
const read = fc.array(fragment, { minLength: 1, maxLength: 3 })

/** Lines in order, as fragments that do not touch. */
function grouped(lines: ReadonlyMap<number, string>): Fragment[] {
  const fragments: { start: number; lines: string[] }[] = []
  for (const [number, line] of [...lines].sort(([a], [b]) => a - b)) {
    const last = fragments.at(-1)
    if (last !== undefined && last.start + last.lines.length === number) last.lines.push(line)
    else fragments.push({ start: number, lines: [line] })
  }
  return fragments
}

test('reads of parts add up, unless one contradicts what is known', () => {
  fc.assert(
    fc.property(fc.array(read, { maxLength: 12 }), (reads) => {
      let known: Known = NOTHING
      let model = new Map<number, string>()
      for (const fragments of reads) {
        const lines = fragments.flatMap(({ lines, start }) =>
          lines.map((line, i): [number, string] => [start + i, line]),
        )
        const isSame = lines.every(([number, line]) => (model.get(number) ?? line) === line)
        model = new Map([...(isSame ? model : []), ...lines])
        const after = afterRead(known, { isWhole: false, finalLineEnd: null, fragments })
        expect(after.agrees).toBe(isSame)
        known = after.known
        expect(fragmentsOf(known)).toEqual(grouped(model))
      }
    }),
    runs,
  )
})

test('a part agrees with a whole file that contains it', () => {
  const whole = { isWhole: true, finalLineEnd: true, fragments: [{ start: 1, lines: ['a', 'b', 'c'] }] }
  const { known } = afterRead(NOTHING, whole)
  const agrees = (start: number, lines: string[]) =>
    afterRead(known, { isWhole: false, finalLineEnd: null, fragments: [{ start, lines }] }).agrees
  expect([agrees(2, ['b', 'c']), agrees(1, ['a', 'b', 'c']), agrees(4, [])]).toEqual([true, true, true])
  expect([agrees(3, ['c', 'd']), agrees(4, ['d']), agrees(2, ['B'])]).toEqual([false, false, false])
})
