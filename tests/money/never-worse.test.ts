// Wherever a session ends, it has cost little more than sending everything: a rewrite of the prompt cache
// costs at most what was saved before it plus 3 % of what sending everything would have cost.

import fc from 'fast-check'
import { cacheAware } from 'trimtab'
import { PRICES, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'

/** The limit of 3 %, plus the difference between the tokens of a message and those of its blocks. */
const MOST = 1.035

type Step = { tool: string; input: object; size: number }

/** An agent's session: each step is a call and a result of `size` characters. */
function sessionOf(steps: readonly Step[]): object[] {
  const use = ({ tool, input, size }: Step, i: number) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: tool, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: `${i} said more\n`.repeat(size / 10) }],
    },
  ]
  return [{ role: 'user', content: 'Go on.' }, ...steps.flatMap(use), { role: 'assistant', content: 'Done.' }]
}

/** Highest cost at these cache read prices, relative to sending everything. */
function costs(messages: object[], reads: readonly number[], character?: 'careful' | 'thrifty'): number {
  const of = (cacheRead: number) => {
    const prices = { ...PRICES.anthropic, cacheRead }
    // A large window: when the window fills up, room is made at any cost.
    const window = 1_000_000
    const policy = cacheAware({ prices, window, ...(character === undefined ? {} : { character }) })
    const { policies } = simulate(messages, { policy }, { prices, bounds: false })
    return policies[0]?.relativeCost ?? Number.NaN
  }
  return Math.max(...reads.map(of))
}

const path = fc.integer({ min: 0, max: 12 }).map((i) => `src/${i}.ts`)
const size = fc.constantFrom(100, 500, 2000, 8000, 30_000)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ tool: fc.constant('Read'), input: fc.record({ file_path: path }), size }),
  fc.record({ tool: fc.constant('Bash'), input: fc.constant({ command: 'make' }), size }),
  fc.record({
    tool: fc.constant('Edit'),
    input: fc.record({ file_path: path, old_string: fc.constant('a'), new_string: fc.constant('b') }),
    size: fc.constant(100),
  }),
)

describe('cacheAware costs hardly more than sending everything, wherever a session ends', () => {
  test('for random tool calls', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 3, maxLength: 60 }),
        fc.constantFrom(0.1, 0.05, 0.025),
        fc.constantFrom(undefined, 'careful' as const, 'thrifty' as const),
        (steps, read, character) => {
          expect(costs(sessionOf(steps), [read], character)).toBeLessThan(MOST)
        },
      ),
      runs,
    )
  })

  test.each([10, 20, 30, 40, 50, 60, 70])('for %i files that are read once', (length) => {
    const steps = Array.from({ length }, (_, i) => ({
      tool: 'Read',
      input: { file_path: `src/${i}.ts` },
      size: 6000,
    }))
    expect(costs(sessionOf(steps), [0.1, 0.05, 0.025])).toBeLessThan(MOST)
  })
})
