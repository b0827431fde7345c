// System messages within a history of Anthropic: they stay, at a position that the API accepts.
import { validate } from 'trimtab'
import { compact } from 'trimtab/compaction'
import { expect, test } from 'vitest'

const STEPS = 6
const format = 'anthropic'

/** A history with system messages behind the results of some steps, and a question of the user in the middle. */
function history(told: readonly number[]) {
  const steps = Array.from({ length: STEPS }, (_, i) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'ls', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: 'x\n'.repeat(300) }],
    },
    ...(told.includes(i) ? [{ role: 'system', content: `Rule ${i}.` }] : []),
    ...(i === 3
      ? [
          { role: 'assistant', content: 'Done.' },
          { role: 'user', content: 'Go on.' },
        ]
      : []),
  ])
  return [{ role: 'user', content: 'Go.' }, ...steps.flat()]
}

const summaries = {
  mechanical: undefined,
  'by a model': () => Promise.resolve('Listed the files.'),
}

test.each(Object.entries(summaries))(
  'system messages stay where they are valid, summary %s',
  async (_, summarize) => {
    let compacted = 0
    for (const told of [[0], [1, 2], [0, 3, 5], [4], [5]]) {
      const messages = history(told)
      expect(validate(messages, { format })).toEqual([])
      for (let keep = 0; keep < messages.length; keep++) {
        const options = {
          threshold: 0,
          keepRecentMessages: keep,
          format,
          ...(summarize && { summarize }),
        } as const
        const made = await compact<object>(messages, options)
        expect(validate(made.messages, { format })).toEqual([])
        const rules = made.messages.filter((message) => 'role' in message && message.role === 'system')
        expect(rules).toEqual(messages.filter(({ role }) => role === 'system'))
        compacted += Number(made.compacted)
      }
    }
    expect(compacted).toBeGreaterThan(40)
  },
)
