import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import fc from 'fast-check'
import { Context, inspect, type Policy, project, rollingContext } from 'trimtab'
import { expect, test } from 'vitest'
import { conversation, format } from './conversation.js'
import { problems } from './oracle.js'
import { policyInPlace } from './policies.js'
import { runs } from './random.js'
import { write } from './write.js'

const call = (id: string) => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: `{"command":"make ${id}"}` } }],
  },
  { role: 'tool', tool_call_id: id, content: `${'a line of output\n'.repeat(60)}${id}` },
]
const HISTORY = [{ role: 'user', content: 'begin' }, ...['a', 'b', 'c', 'd'].flatMap(call)]
const idsIn = (messages: readonly object[]) =>
  inspect(messages)
    .blocks.filter(({ kind }) => kind === 'tool-call')
    .map(({ callId }) => callId)

test('exclude removes a call with its result, counts them in the report, and explains why', () => {
  const { messages, report } = project(HISTORY, { exclude: ['b', 'nowhere'] })
  expect(messages).toEqual(HISTORY.filter((_, at) => at !== 3 && at !== 4))
  expect(report.passes.find(({ pass }) => pass === 'exclude')).toMatchObject({ edits: 2 })
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore)
  expect(report.explain(4)[0]).toMatchObject({ pass: 'exclude', reason: 'the policy excludes it' })
})

test('exclude overrides earlier decisions, is saved with a Context, and can be undone', () => {
  const old = rollingContext({ maxToolOutputAge: 0 })
  const first = project(HISTORY, old)
  const context = new Context({ ...old, exclude: ['a'] }, { state: first.state })
  expect(idsIn(context.project(HISTORY).messages)).toEqual(['b', 'c', 'd'])

  const loaded = Context.fromJSON(JSON.parse(JSON.stringify(context)))
  expect(loaded.policy.exclude).toEqual(['a'])
  const { messages, state } = loaded.project(HISTORY)
  expect(idsIn(messages)).toEqual(['b', 'c', 'd'])

  const back = project(HISTORY, { exclude: [] }, { state })
  expect(back.messages[2]).toBe(HISTORY[2])
})

test('project refuses a call that is both pinned and excluded', () => {
  const both: Policy = { exclude: ['x', 'b'], protect: { pinned: ['b'] } }
  expect(() => project(HISTORY, both)).toThrow(
    'policy: exclude.1 is "b", which `protect.pinned` has too: take it out of one of them',
  )
  expect(() => project(HISTORY, { exclude: 'b' } as unknown as Policy)).toThrow(/exclude: .*a list of texts/)
})

test('law 22: in every format the view is valid and contains nothing of an excluded call', () => {
  fc.assert(
    fc.property(conversation, format, policyInPlace, fc.nat(), (turns, format, policy, which) => {
      // The first Gemini call signs those beside it during its turn, so the turn is ended here.
      const end = format === 'gemini' ? [{ role: 'user', parts: [{ text: 'go on' }] }] : []
      const messages = [...write(turns, format), ...end]
      const all = [...new Set(inspect(messages, { format }).blocks.flatMap(({ callId }) => callId ?? []))]
      const exclude = all.filter((_, at) => ((which >> (at % 30)) & 1) === 1)
      const { messages: view } = project(messages, { ...policy, exclude }, { format })
      expect(problems(view, format)).toEqual([])
      const left = inspect(view, { format }).blocks.map(({ callId }) => callId)
      expect(left.filter((id) => id && exclude.includes(id))).toEqual([])
    }),
    { numRuns: Math.ceil(runs.numRuns / 3) },
  )
})

test('exclude removes every copy of a call in a LangChain message', () => {
  const toolCall = (id: string) => ({ id, name: 'bash', args: {} })
  const raw = (id: string) => ({ id, type: 'function' as const, function: { name: 'bash', arguments: '{}' } })
  const history = [
    new HumanMessage('begin'),
    new AIMessage({
      content: [
        { type: 'text', text: 'both' },
        { type: 'tool_use', id: 'a', name: 'bash', input: {} },
        { type: 'tool_use', id: 'b', name: 'bash', input: {} },
      ],
      tool_calls: [toolCall('a'), toolCall('b')],
      additional_kwargs: { tool_calls: [raw('a'), raw('b')] },
      response_metadata: {
        output: [
          { type: 'function_call', call_id: 'a' },
          { type: 'message', id: 'm' },
        ],
      },
    }),
    new ToolMessage({ content: 'one', tool_call_id: 'a' }),
    new ToolMessage({ content: 'two', tool_call_id: 'b' }),
    new AIMessage({
      content: [{ type: 'tool_use', id: 'c', name: 'bash', input: {} }],
      tool_calls: [toolCall('c')],
    }),
    new ToolMessage({ content: 'three', tool_call_id: 'c' }),
    new HumanMessage('go on'),
  ]
  const { messages } = project(history, { exclude: ['a', 'c'] })
  expect(messages).toHaveLength(4)
  const answer = messages[1] as AIMessage
  expect(answer).toBeInstanceOf(AIMessage)
  const { content, tool_calls, additional_kwargs, response_metadata } = answer
  expect(content).toEqual([
    { type: 'text', text: 'both' },
    { type: 'tool_use', id: 'b', name: 'bash', input: {} },
  ])
  expect(tool_calls).toEqual([toolCall('b')])
  expect(additional_kwargs).toEqual({ tool_calls: [raw('b')] })
  expect(response_metadata).toEqual({ output: [{ type: 'message', id: 'm' }] })
  expect(history[1]).toMatchObject({ tool_calls: [{ id: 'a' }, { id: 'b' }] })
})
