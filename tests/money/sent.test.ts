import { type Prices, simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'

/** Only writes cost anything. */
const prices: Prices = { input: 1, cacheRead: 0, cacheWrite: 1, output: 1, cacheSeconds: null }
const args = { path: 'a.ts', content: 'short' }

/** How each format writes the session's messages. */
const WRITTEN = {
  'openai-chat': {
    user: (content: unknown) => ({ role: 'user', content }),
    answer: (content: unknown, input?: object) => ({
      role: 'assistant',
      content,
      ...(input && {
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'write_file', arguments: JSON.stringify(input) } },
        ],
      }),
    }),
    result: (content: unknown) => ({ role: 'tool', tool_call_id: 'c', content }),
  },
  langchain: {
    user: (content: unknown) => ({ type: 'human', content }),
    answer: (content: unknown, input?: object) => ({
      type: 'ai',
      content,
      ...(input && { tool_calls: [{ id: 'c', name: 'write_file', args: input, type: 'tool_call' }] }),
    }),
    result: (content: unknown) => ({ type: 'tool', tool_call_id: 'c', content }),
  },
}

describe.each(Object.entries(WRITTEN))('in a message of %s', (name, { user, answer, result }) => {
  /** The cost of a view that at the last request replaces the second message. */
  const costOf = (content: unknown, changed: object) => {
    const session = [
      user('Go.'),
      answer(content, args),
      result('ok'),
      answer('One more.'),
      user('And?'),
      answer('Done.'),
    ]
    const view = (messages: readonly object[]) =>
      messages.length < 5 ? messages : messages.map((one, at) => (at === 1 ? changed : one))
    const format = name as keyof typeof WRITTEN
    return simulate(session, { view }, { format, prices, bounds: false }).policies[0]?.cost ?? 0
  }

  test('a changed call is written again, whether the text before it is a string or a list', () => {
    const large = { ...args, content: 'x'.repeat(35_000) }
    const [text, list] = ['I write it.', [{ type: 'text', text: 'I write it.' }]]
    const costs = [text, list].map((content) => costOf(content, answer(content, large)))
    expect(costs[0]).toBeGreaterThan(9000)
    expect(costs[1]).toBeGreaterThan(9000)
    expect(costs[1]).toBeLessThanOrEqual(costs[0] as number)
  })

  test('the blocks before a changed block are read from the cache', () => {
    const long = { type: 'text', text: 'word '.repeat(3000) }
    const same = costOf(
      [long, { type: 'text', text: 'a' }],
      answer([long, { type: 'text', text: 'b' }], args),
    )
    const other = costOf(
      [{ type: 'text', text: 'a' }, long],
      answer([{ type: 'text', text: 'b' }, long], args),
    )
    expect(other - same).toBeGreaterThan(2500)
  })
})
