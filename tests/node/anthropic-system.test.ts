// Instructions within an Anthropic conversation, as Claude Code and LangChain send them.
import { Context, clearOldToolUses, inspect, project, repair, validate } from 'trimtab'
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

test('system messages within an Anthropic history are valid, kept in the view, and counted', () => {
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

test('convertMessages keeps system messages within an Anthropic history', () => {
  const chat = convertMessages(history, 'openai-chat').messages as { role: string }[]
  expect(chat.filter(({ role }) => role === 'system')).toHaveLength(4)
})

const user = { role: 'user', content: 'go on' }
const system = { role: 'system', content: 'Be careful.' }
const answer = { role: 'assistant', content: 'Done.' }
const directive = { role: 'system', content: [], output_config: { effort: 'low' } }
const searched = {
  role: 'assistant',
  content: [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
  ],
}

/** A conversation, and the indexes of the messages that are not allowed in their place. */
const PLACES: [name: string, messages: object[], wrong: number[]][] = [
  ['after the user, at the end', [user, system], []],
  ['a run', [user, system, system, answer], []],
  ["after a server's result", [user, searched, system, answer], []],
  ['directives anywhere', [user, answer, directive, user, directive, user], []],
  ['before the user', [user, system, user, answer], [1]],
  ['a run before the user', [user, system, system, user], [1, 2]],
  ['after the assistant', [user, answer, system, answer], [2]],
  ['after the assistant, at the end', [user, answer, system], [2]],
]

test.each(PLACES)('validate and repair check the position of system messages: %s', (_, messages, wrong) => {
  const found = validate(messages, { format: 'anthropic' })
  expect(found.map(({ index, rule }) => [index, rule])).toEqual(wrong.map((index) => [index, 'system-order']))
  expect(problems(messages, 'anthropic')).toEqual(wrong.map((index) => `${index}: system out of place`))
  const repaired = repair(messages, { format: 'anthropic' }).messages
  expect(problems(repaired, 'anthropic')).toEqual([])
  expect(repaired.filter((message, i) => message !== messages[i])).toHaveLength(wrong.length)
})

test('removing a call leaves system messages in their place', () => {
  const said = { type: 'text', text: 'I look.' }
  const call = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'a', content: output }
  const between = (...content: object[]) => [
    user,
    { role: 'assistant', content },
    { role: 'user', content: [result], metadata: { ephemeral: true } },
    system,
    answer,
    user,
  ]
  for (const messages of [between(said, call), between(call)]) {
    for (const policy of [{ exclude: ['a'] }, { ephemeral: { mode: 'remove' as const } }]) {
      const view = project(messages, policy, { format: 'anthropic' }).messages
      expect(problems(view, 'anthropic')).toEqual([])
      expect(view).toContain(system)
      // What is excluded goes unless it is needed; an ephemeral result always gets a stub where system messages are.
      const isKept = 'ephemeral' in policy || JSON.stringify(messages).includes('I look.')
      expect(view).toHaveLength(isKept ? 6 : 4)
      expect(JSON.stringify(view).includes('a line of output')).toBe(isKept && 'exclude' in policy)
    }
  }
})

test('a system message keeps the call after it, whose answer has nothing else but reasoning', () => {
  const thought = { type: 'thinking', thinking: 'I should look.', signature: 'c2ln' }
  const call = { type: 'tool_use', id: 'a', name: 'ls', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'a', content: output }
  const after = (...content: object[]) => [
    user,
    system,
    { role: 'assistant', content },
    { role: 'user', content: [result] },
    user,
  ]
  const shown = (messages: object[]) => {
    const view = project(messages, { exclude: ['a'] }, { format: 'anthropic' }).messages
    expect(problems(view, 'anthropic')).toEqual([])
    expect(view).toContain(system)
    return view
  }
  const needed = after(thought, call)
  expect(shown(needed)).toEqual(needed)
  // The text stays as the answer.
  expect(shown(after(thought, { type: 'text', text: 'I look.' }, call))).toHaveLength(4)
})
