import { Context, off, project, rollingContext } from 'trimtab'
import { expect, test } from 'vitest'

const prompt = (text: string) => ({ role: 'user', content: text })
const call = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }],
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `${id} `.repeat(2000) })
const step = (id: string): object[] => [call(id), result(id)]

test('report.cache: a view that grew reads the previous view and writes the rest', () => {
  const context = new Context(off())
  const history: object[] = [prompt('Build it.'), ...step('a')]
  const first = context.project(history).report
  expect(first.cache).toMatchObject({ read: 0, written: first.tokensAfter, firstDifference: null })
  history.push(...step('b'))
  const next = context.project(history).report
  const written = next.tokensAfter - first.tokensAfter
  expect(next.cache).toMatchObject({
    read: first.tokensAfter,
    written,
    firstDifference: null,
    reported: null,
  })
  expect(JSON.parse(JSON.stringify(next)).cache).toEqual({
    read: first.tokensAfter,
    written,
    firstDifference: null,
    reported: null,
  })
})

test('report.cache: copies of messages count as unchanged', () => {
  const context = new Context(off())
  const history: object[] = [prompt('Build it.'), ...step('a')]
  const first = context.project(structuredClone(history)).report
  const next = context.project(structuredClone([...history, ...step('b')])).report
  expect(next.cache).toMatchObject({ read: first.tokensAfter, firstDifference: null })
})

/** Fields that the formats do not know, in a message that is made anew for each request. */
const MADE_ANEW: [string, firstDifference: null | 0, () => object][] = [
  ['a BigInt', null, () => ({ at: 10n })],
  ['bytes', null, () => ({ at: new Uint8Array([1, 2]) })],
  [
    'an object in itself',
    0,
    () => {
      const state: { own?: object } = {}
      state.own = state
      return { state }
    },
  ],
  [
    'toJSON that throws',
    0,
    () => ({
      at: {
        toJSON: () => {
          throw new Error('not now')
        },
      },
    }),
  ],
  [
    'a getter that throws',
    0,
    () => ({
      get at(): number {
        throw new Error('not now')
      },
    }),
  ],
]

test.each(MADE_ANEW)(
  'report.cache of messages made anew with %s is read without an error',
  (_, firstDifference, fields) => {
    const context = new Context(off())
    const made = (): object =>
      Object.defineProperties(prompt('Build it.'), Object.getOwnPropertyDescriptors(fields()))
    context.project([made(), ...step('a')])
    const { cache } = context.project([made(), ...step('a'), ...step('b')]).report
    expect(JSON.parse(JSON.stringify(cache))).toMatchObject({ firstDifference })
  },
)

test.each(MADE_ANEW)('a Context follows messages made anew with %s', (_, __, fields) => {
  const context = new Context(off())
  const made = (count: number): object[] =>
    Array.from({ length: count }, (_, i) =>
      Object.defineProperties(prompt(`Part ${i}.`), Object.getOwnPropertyDescriptors(fields())),
    )
  for (const count of [8, 10, 8, 10]) expect(context.project(made(count)).messages).toHaveLength(count)
})

test('report.cache: firstDifference compares with the previous view, not with the history', () => {
  const context = new Context(rollingContext({ maxToolOutputAge: 2, maxToolOutputTokens: 0 }))
  const history: object[] = [prompt('Build it.')]
  const differences = ['a', 'b', 'c', 'd', 'e'].map((id) => {
    history.push(...step(id))
    const { report } = context.project(history)
    const { cache } = report
    expect((cache?.read ?? 0) + (cache?.written ?? 0)).toBe(report.tokensAfter)
    return cache?.firstDifference ?? null
  })
  const edited = differences.filter((one) => one !== null)
  expect(edited.length).toBeGreaterThan(1)
  expect(edited).toEqual([...new Set(edited)].sort((one, other) => one - other))
})

test('report.cache: the messages before firstDifference are read', () => {
  const context = new Context(off())
  const kept: object[] = [prompt('Build it.'), ...step('a')]
  context.project([...kept, ...step('b')])
  const { cache } = context.project([...kept, ...step('c')]).report
  const before = project(kept).report.tokensAfter
  expect(cache).toMatchObject({ read: before, firstDifference: 3 })
})

test('calibrate sets the reported reads and writes of report.cache', () => {
  const context = new Context(off())
  const history: object[] = [prompt('Build it.'), ...step('a')]
  const { report } = context.project(history)
  const usage = {
    input_tokens: 10,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 4990,
    output_tokens: 5,
  }
  context.calibrate(usage)
  expect(report.cache?.reported).toEqual({ read: 0, written: 5000 })
  history.push(...step('b'))
  expect(context.project(history).report.cache?.read).toBe(5000)
})

test('report.cache is null without a Context, and when projecting an earlier step', () => {
  const history: object[] = [prompt('Build it.'), ...step('a')]
  expect(project(history).report.cache).toBeNull()
  const context = new Context(off())
  context.project(history)
  expect(context.project(history, { currentStep: 0 }).report.cache).toBeNull()
})
