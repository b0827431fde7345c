import { Context, clearOldToolUses, TrimtabError } from 'trimtab'
import { describe, expect, test } from 'vitest'

const POLICY = {
  ...clearOldToolUses({
    trigger: { type: 'input_tokens', value: 20_000 },
    keep: { type: 'tool_uses', value: 3 },
  }),
  recall: true,
}

const call = (step: number) => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    {
      id: `c${step}`,
      type: 'function',
      function: {
        name: 'bash',
        arguments: JSON.stringify({ command: `make ${step}`, why: 'because of this and that '.repeat(8) }),
      },
    },
  ],
})

const result = (step: number) => ({
  role: 'tool',
  tool_call_id: `c${step}`,
  content: `line ${step} of the log\n`.repeat(40 + ((step * 37) % 120)),
})

/** What the provider counts, with these ratios of its tokens to the estimates of answers and of results. */
function realTokens(view: readonly object[], answers: number, results: number): number {
  const tokens = view.map((message) => {
    const ratio = (message as { role: string }).role === 'tool' ? results : answers
    return (Buffer.byteLength(JSON.stringify(message)) / 3.5) * ratio
  })
  return Math.round(tokens.reduce((sum, one) => sum + one, 500))
}

const copyOf = (context: Context) => Context.fromJSON(JSON.parse(JSON.stringify(context.toJSON())))

describe.each([
  [1, 1.5],
  [0.9, 1.4],
  [1, 1.3],
  [1.1, 0.7],
])('with %f tokens per estimated token of answers and %f of results', (answers, results) => {
  test('a Context that was saved and loaded decides as the one that was not', () => {
    const live = new Context(POLICY)
    const history: object[] = [{ role: 'user', content: 'go' }]
    const others: number[] = []
    for (let step = 0; step < 200; step++) {
      const loaded = copyOf(live)
      const { messages } = live.project(history)
      if (JSON.stringify(loaded.project(history).messages) !== JSON.stringify(messages)) others.push(step)
      const prompt_tokens = realTokens(messages, answers, results)
      live.calibrate({ prompt_tokens, completion_tokens: 5 })
      history.push(call(step), result(step))
    }
    expect(others).toEqual([])
  })
})

test('the scale of a saved Context is checked', () => {
  const context = new Context(POLICY)
  context.project([{ role: 'user', content: 'go' }])
  context.calibrate({ prompt_tokens: 900, completion_tokens: 5 })
  context.project([{ role: 'user', content: 'go' }])
  const saved = context.toJSON()
  expect(saved.scale).toMatchObject({ saved: 0 })
  for (const [name, value] of [
    ['perToken', 0],
    ['perResultToken', Number.NaN],
    ['beside', -1],
    ['saved', '1'],
  ] as const) {
    const scale = { ...saved.scale, [name]: value } as never
    expect(() => Context.fromJSON({ ...saved, scale })).toThrow(`saved.scale.${name}`)
  }
  expect(() => Context.fromJSON({ ...saved, scale: 5 as never })).toThrow(TrimtabError)
})
