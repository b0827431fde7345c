// Instructions in the middle of an Anthropic conversation, as Claude Code and LangChain send them.
import { Context, clearOldToolUses, inspect, project, validate } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { expect, test } from 'vitest'
import { problems } from './oracle.js'

const output = 'a line of output\n'.repeat(200)

function step(i: number): object[] {
  const system = { role: 'system', content: [{ type: 'text', text: `From here on be brief: ${i}.` }] }
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${i}`, name: 'ls', input: { i } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${i}`, content: output + i }] },
    ...(i % 2 === 0 ? [system] : []),
  ]
}

const prompt = { role: 'user', content: 'list' }
const history = [prompt, { role: 'system', content: 'Be careful.' }, ...[0, 1, 2, 3, 4, 5].flatMap(step)]

test('they are read, kept as they are, and count', () => {
  expect(problems(history, 'anthropic')).toEqual([])
  expect(validate(history)).toEqual([])
  expect(inspect(history).format).toBe('anthropic')
  const policy = clearOldToolUses({
    trigger: { type: 'tool_uses', value: 1 },
    keep: { type: 'tool_uses', value: 1 },
  })
  const { messages, report } = project(history, policy)
  expect(report.edits).toHaveLength(5)
  expect(problems(messages, 'anthropic')).toEqual([])
  const kept = messages.filter((message, i) => message === history[i])
  expect(kept.filter((message) => (message as { role: string }).role === 'system')).toHaveLength(4)
  using context = new Context()
  expect(context.usage(history).total).toBeGreaterThan(context.usage(history.slice(0, 1)).total)
})

test('they are converted', () => {
  const chat = convertMessages(history, 'openai-chat').messages as { role: string }[]
  expect(chat.filter(({ role }) => role === 'system')).toHaveLength(4)
})
