import { Context, clearOldToolUses } from 'trimtab'
import { compact } from 'trimtab/compaction'
import { expect, test } from 'vitest'

const TRIGGER = 20_000
const THOUGHT = 'I think that '.repeat(60)

/** What the provider counts: results have 1.2 times as many tokens as estimated, and old reasoning has none. */
function realTokens(view: readonly object[]): number {
  const tokens = view.map((message) => {
    const { role, content, reasoning_content: _, ...rest } = message as Record<string, unknown>
    if (role === 'tool') return (String(content).length / 3.5) * 1.2
    return JSON.stringify({ role, content, ...rest }).length / 3.5
  })
  return Math.round(500 + tokens.reduce((sum, one) => sum + one, 0))
}

test('the first request after a compaction is measured by what it shows, not by what the one before it left out', async () => {
  const context = new Context(
    {
      ...clearOldToolUses({
        trigger: { type: 'input_tokens', value: TRIGGER },
        keep: { type: 'turns', value: 1 },
      }),
      recall: true,
    },
    { model: 'gpt-6' },
  )
  const history: object[] = []
  const send = () => {
    const { messages } = context.project(history)
    context.calibrate({ prompt_tokens: realTokens(messages), completion_tokens: 5 })
  }
  for (let turn = 0; turn < 4; turn++) {
    history.push({ role: 'user', content: `task ${turn}` })
    for (let call = 0; call < 25; call++) {
      send()
      const id = `c${turn}-${call}`
      history.push(
        {
          role: 'assistant',
          content: null,
          reasoning_content: THOUGHT,
          tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }],
        },
        { role: 'tool', tool_call_id: id, content: `line ${id}\n`.repeat(400) },
      )
    }
    send()
    history.push({ role: 'assistant', content: 'Done.' })
  }
  const compacted = await compact(history, { threshold: 100, keepRecentMessages: 51 })
  const next = [...compacted.messages, { role: 'user', content: 'next task' }]
  expect(realTokens(next)).toBeGreaterThan(1.2 * TRIGGER)
  const first = context.project(next)
  expect(first.report.edits).toHaveLength(25)
  expect(realTokens(first.messages)).toBeLessThan(TRIGGER)
  expect(context.project(next).messages).toEqual(first.messages)
})
