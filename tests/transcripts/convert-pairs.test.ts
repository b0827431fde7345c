import fc from 'fast-check'
import { type Format, inspect } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { describe, expect, test } from 'vitest'
import { conversation } from '../node/conversation.js'
import { problems } from '../node/oracle.js'
import { runs } from '../node/random.js'
import { FORMATS, write } from '../node/write.js'
import { type Substance, substance } from './substance.js'

const pairs = FORMATS.flatMap((from) =>
  FORMATS.filter((to) => to !== from).map((to): [Format, Format] => [from, to]),
)
/** Formats without a flag for failed results. */
const WITHOUT_FLAG = new Set<Format>(['openai-chat', 'openai-responses'])

describe.each(pairs)('convertMessages from %s to %s', (from, to) => {
  const check = (law: (history: object[]) => void): void =>
    fc.assert(
      fc.property(conversation, (turns) => law(write(turns, from))),
      { numRuns: Math.ceil(runs.numRuns / 10) },
    )

  test('gives valid messages with every call answered', () => {
    check((history) => {
      expect(problems(history, from)).toEqual([])
      const { messages } = convertMessages(history, to, { format: from })
      expect(problems(messages, to)).toEqual([])
      expect(inspect(messages, { format: to })).toMatchObject({ unansweredCalls: [], orphanResults: [] })
    })
  })

  test('keeps texts, calls with ids, and results in both directions', () => {
    check((history) => {
      const there = convertMessages(history, to, { format: from })
      const back = convertMessages(there.messages, from, { format: to })
      const before = substance(history, from)
      expect(comparable(substance(there.messages, to), before, to)).toEqual(comparable(before, before, to))
      expect(comparable(substance(back.messages, from), before, to)).toEqual(comparable(before, before, to))
    })
  })

  test('reports each failure whose flag is lost', () => {
    check((history) => {
      const failures = substance(history, from).uses.filter(({ isError }) => isError).length
      const { lost, messages } = convertMessages(history, to, { format: from })
      const named = lost.filter(({ what }) => what === 'mark of a failed result (is_error)').length
      const kept = substance(messages, to).uses.filter(({ isError }) => isError).length
      expect(kept + named).toBe(failures)
    })
  })

  test('leaves its input unchanged and is deterministic', () => {
    check((history) => {
      const before = JSON.stringify(history)
      const first = JSON.stringify(convertMessages(frozen(history), to, { format: from }))
      expect(JSON.stringify(history)).toBe(before)
      expect(JSON.stringify(convertMessages(JSON.parse(before) as object[], to, { format: from }))).toBe(
        first,
      )
    })
  })
})

/** Keeps ids if the source has them, and failures if the target has a flag. */
function comparable(one: Substance, source: Substance, to: Format): Substance {
  const uses = one.uses.map((use, position) => ({
    ...use,
    id: source.uses[position]?.id === undefined ? undefined : use.id,
    isError: WITHOUT_FLAG.has(to) ? false : use.isError,
  }))
  return { texts: one.texts, uses }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}
