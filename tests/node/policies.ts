import fc from 'fast-check'
import type { Policy } from 'trimtab'

/** Random policies: every pass on or off, each setting present or absent. */

const some = <T extends object>(settings: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(settings, { requiredKeys: [] })

const bashOnly = fc.constant<string[]>(['bash'])

const clear = some({
  trigger: fc.oneof(
    fc.record({ type: fc.constant('input_tokens' as const), value: fc.nat(2000) }),
    fc.record({ type: fc.constant('tool_uses' as const), value: fc.nat(8) }),
    fc.record({ type: fc.constant('window_fraction' as const), value: fc.nat(100).map((n) => n / 100) }),
  ),
  keep: fc.record({
    type: fc.constantFrom('tool_uses' as const, 'steps' as const, 'turns' as const),
    value: fc.nat(4),
  }),
  downTo: fc.nat(1500),
  clearAtLeast: fc.nat(400),
  excludeTools: bashOnly,
  includeTools: fc.constant<string[]>(['read_file', 'bash', 'weird']),
  clearErrors: fc.boolean(),
  clearToolInputs: fc.oneof(fc.boolean(), bashOnly),
})

const age = some({
  maxToolOutputAge: fc.nat(8),
  maxToolOutputTokens: fc.nat(60),
  preserveRecentFiles: fc.boolean(),
  excludeTools: bashOnly,
})

const reads = some({
  maxFileReads: fc.nat(6),
  superseded: fc.constantFrom('keep' as const, 'clear' as const),
})

/** Head and tail together are at most half of the limit. */
const clip = fc
  .record({
    unit: fc.constantFrom('chars' as const, 'lines' as const, 'tokens' as const),
    most: fc.integer({ min: 40, max: 600 }),
    share: fc.nat(99),
    everywhere: fc.boolean(),
  })
  .map(({ unit, most, share, everywhere }) => {
    const max = unit === 'lines' ? Math.floor(most / 20) : most
    const part = (percent: number) => Math.floor((Math.floor(max / 2) * percent) / 100)
    const tools = everywhere ? { tools: ['bash', 'read_file', 'weird'] } : {}
    return { unit, max, head: part(share), tail: part(99 - share), ...tools }
  })

const budget = some({ maxTokens: fc.nat(2000), downTo: fc.nat(2000), keepSteps: fc.nat(2) })

const inputs = some({
  after: fc.nat(4),
  maxChars: fc.integer({ min: 64, max: 300 }),
  what: fc.constantFrom('all' as const, 'old' as const),
})

const protect = some({
  tools: bashOnly,
  paths: fc.constantFrom<string[]>(['src/*.ts'], ['**'], ['src/file1.ts']),
})

const summarize = some({
  after: fc.nat(4),
  minChars: fc.nat(400),
  maxTokens: fc.integer({ min: 20, max: 60 }),
})

const stubs = {
  ephemeral: fc.oneof(fc.boolean(), some({ when: fc.constantFrom('after-turn' as const, 'now' as const) })),
  clear: fc.oneof(fc.boolean(), clear),
  age: fc.oneof(fc.boolean(), age),
  reads: fc.oneof(fc.boolean(), reads),
  lists: fc.oneof(fc.boolean(), some({ keep: fc.nat(3) })),
  clip: fc.oneof(fc.boolean(), clip),
  dedupe: fc.boolean(),
  edits: fc.oneof(fc.boolean(), some({ after: fc.nat(4), atLeast: fc.integer({ min: 2, max: 4 }) })),
  inputs: fc.oneof(fc.boolean(), inputs),
  reasoning: fc.constantFrom('keep' as const, 'drop' as const, 'append-only' as const),
  budget: fc.oneof(fc.boolean(), budget),
  warn: fc.boolean(),
  protect,
  clearAtLeast: fc.constantFrom(0, 50, 300),
  recall: fc.boolean(),
  window: fc.constant(3000),
}

/** Batches of any size at any price; most pay at once. */
const done = some({
  missing: fc.constantFrom(0, 1, 20, 100),
  oldTexts: fc.boolean(),
  atLeast: fc.constantFrom(0, 50, 300),
  expectedSteps: fc.nat(90),
  rewriteCost: fc.constantFrom(0, 1, 11.5, 49),
  mostLoss: fc.constantFrom(0, 0.03, 1),
})

/** The retire pass with the settings that may accompany it. */
const economical = fc
  .record({
    retire: fc.oneof(fc.constant(true), done),
    beside: some({
      ephemeral: stubs.ephemeral,
      reasoning: stubs.reasoning,
      budget: stubs.budget,
      warn: stubs.warn,
      protect,
      recall: stubs.recall,
      window: stubs.window,
    }),
  })
  .map(({ retire, beside }) => ({ retire, ...beside }))

const orEconomical = (policy: fc.Arbitrary<Policy>): fc.Arbitrary<Policy> =>
  fc.oneof({ arbitrary: policy, weight: 7 }, { arbitrary: economical, weight: 2 })

/** Removal of ephemeral content, which does not combine with other passes. */
const removal = fc.record({
  ephemeral: fc.record({
    mode: fc.constant('remove' as const),
    when: fc.constantFrom('after-turn' as const, 'now' as const),
  }),
})

const withRemoval = (policy: fc.Arbitrary<Policy>): fc.Arbitrary<Policy> =>
  fc.oneof({ arbitrary: policy, weight: 9 }, { arbitrary: removal, weight: 1 })

/** Policies that leave every message in its place. */
export const policyInPlace: fc.Arbitrary<Policy> = orEconomical(
  some({ ...stubs, summarize: fc.oneof(fc.boolean(), summarize) }),
)

export const policy: fc.Arbitrary<Policy> = withRemoval(policyInPlace)

/**
 * Policies without summaries. Only state tells summaries from results, so a view with them may change when it
 * is projected again.
 */
export const policyOfStubs: fc.Arbitrary<Policy> = withRemoval(orEconomical(some(stubs)))
