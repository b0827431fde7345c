import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import {
  cacheAware,
  clearOldToolUses,
  off,
  type Policy,
  project,
  rollingContext,
  smartRetention,
} from 'trimtab'
import { describe, expect, test } from 'vitest'
import { type Schema, violations } from './json-schema.js'
import { runs } from './random.js'

const schema = JSON.parse(
  readFileSync(new URL(import.meta.resolve('trimtab/policy.schema.json')), 'utf8'),
) as Schema & { properties: Record<string, Schema>; $defs: Record<string, Schema> }

const isOfSchema = (value: unknown) => violations(value, schema).length === 0
const isTaken = (policy: unknown) => {
  try {
    project([], policy as Policy)
    return true
  } catch {
    return false
  }
}

describe('the policy schema', () => {
  test.each<[string, Policy]>([
    ['off', off()],
    ['rolling context', rollingContext({ maxToolOutputAge: 3, excludeTools: ['bash'] })],
    ['smart retention', smartRetention({ clearAtLeast: 20_000 })],
    [
      'a batch in the form of a trigger',
      smartRetention({ clearAtLeast: { type: 'input_tokens', value: 9 } }),
    ],
    ['cache aware', cacheAware({ character: 'careful', prices: { cacheRead: 0.02, cacheWrite: 1 } })],
    ['clear', clearOldToolUses({ trigger: { type: 'window_fraction', value: 0.5 }, includeTools: null })],
    [
      'clip',
      { clip: { unit: 'lines', perTool: { bash: { max: 10, head: 2 } } }, warn: { at: 0.5 }, budget: true },
    ],
  ])('accepts a policy: %s', (_, policy) => {
    expect(violations(policy, schema)).toEqual([])
    expect(isTaken(policy)).toBe(true)
  })

  test.each([
    { aged: true },
    { age: { maxAge: 1 } },
    { age: { maxToolOutputAge: -1 } },
    { age: { maxToolOutputAge: 1.5 } },
    { age: { maxToolOutputAge: 2 ** 32 } },
    { age: 3 },
    { dedupe: { x: 1 } },
    { clear: { trigger: { type: 'tokens', value: 1 } } },
    { clear: { trigger: { type: 'tool_uses' } } },
    { clear: { placeholder: '' } },
    { clear: { excludeTools: [1] } },
    { clearAtLeast: { type: 'tool_uses', value: 1 } },
    { clearAtLeast: { type: 'input_tokens' } },
    { clear: { clearAtLeast: { type: 'input_tokens', value: 1.5 } } },
    { clip: { perTool: { bash: { maximum: 1 } } } },
    { warn: { at: 2 } },
    { retire: { rewriteCost: -1 } },
    { retire: { mostLoss: -1 } },
    { retire: { missing: 'never' } },
    { retire: { full: 1 } },
    { recall: 'yes' },
    { protect: true },
    [],
    'rolling-context',
  ])('refuses %j, as the engine does', (policy) => {
    expect(isOfSchema(policy)).toBe(false)
    expect(isTaken(policy)).toBe(false)
  })

  test('refuses an unknown field in every object', () => {
    const objects = Object.entries(schema.$defs).filter(([, its]) => its.type === 'object')
    expect(objects.length).toBeGreaterThan(10)
    expect(schema.additionalProperties).toBe(false)
    for (const [name, its] of objects) expect(its.additionalProperties, name).toBe(false)
  })

  /** Values of each kind of setting, valid and invalid. */
  const value = fc.oneof(
    fc.boolean(),
    fc.constantFrom(
      null,
      -1,
      0,
      1,
      0.5,
      3,
      5000,
      2 ** 32,
      '',
      'x',
      'stub',
      'remove',
      'lines',
      'clear',
      'keep',
    ),
    fc.constantFrom([], ['bash'], [1], {}, { type: 'tool_uses', value: 3 }, { type: 'steps', value: 1 }),
  )

  test('agrees with the engine, except for rules between settings', () => {
    const passes = Object.keys(schema.properties)
    const definitions = Object.entries(schema.$defs)
    const settingsOf = (pass: string) => {
      const name = `${pass[0]?.toUpperCase()}${pass.slice(1)}Policy`
      const found = definitions.find(([known]) => known === name)?.[1].properties as object | undefined
      return Object.keys(found ?? { none: 1 })
    }
    const policy = fc
      .constantFrom(...passes)
      .chain((pass) =>
        fc
          .constantFrom(...settingsOf(pass))
          .chain((setting) =>
            value.map((its) => ({ policy: { [pass]: { [setting]: its } }, plain: { [pass]: its } })),
          ),
      )
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(policy, ({ policy, plain }) => {
        for (const one of [policy, plain]) {
          const isFine = isOfSchema(one)
          seen[isFine ? 'taken' : 'refused']++
          // The engine accepts an empty list for `protect`, and also checks combinations of settings.
          if (JSON.stringify(one) === '{"protect":[]}') continue
          if (isTaken(one) !== isFine)
            expect([JSON.stringify(one), isFine]).toEqual([expect.stringMatching(BETWEEN), true])
        }
      }),
      { ...runs, numRuns: 2 * (runs.numRuns ?? 500) },
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100)
  })
  const BETWEEN = /"(head|tail|max|trigger|downTo|mode)":/
})
