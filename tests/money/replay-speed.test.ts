import fc from 'fast-check'
import { cacheAware, clearOldToolUses, off, type Policy } from 'trimtab'
import { simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { holdersOf } from '../../js/dist/money/text-search.js'
import { longSession } from './long-session.js'

/** Number of times that a replay reads the content of a message. */
function reads(steps: number, policy: Policy): number {
  let count = 0
  const session = longSession(steps).map((message) =>
    Object.defineProperty({ ...message }, 'content', {
      enumerable: true,
      get: () => {
        count++
        return (message as { content: unknown }).content
      },
    }),
  )
  simulate(session, { policy })
  return count
}

describe('simulate', () => {
  // With four times the steps, the reads would grow 16 times if each request read all messages again.
  test.each<[string, Policy]>([
    ['off', off()],
    ['cacheAware', cacheAware()],
    ['clearOldToolUses', clearOldToolUses({ trigger: { type: 'input_tokens', value: 20_000 } })],
  ])('reads each message a bounded number of times: %s', (_, policy) => {
    const [short, long] = [reads(160, policy), reads(640, policy)]
    expect(long / short).toBeLessThan(5)
  })
})

describe('holdersOf', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é'), maxLength: 60 })

  test('finds all texts that include a given text', () => {
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 12 }),
        fc.array(letters, { maxLength: 6 }),
        (texts, others) => {
          const parts = texts.map((text) => text.slice(1, 45)).filter((text) => text !== '')
          const wanted = [...parts, ...others.filter((text) => text !== '')]
          const expected = new Map(
            wanted.map((one) => [one, texts.flatMap((text, at) => (text.includes(one) ? [at] : []))]),
          )
          expect(holdersOf(texts, wanted)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })
})
