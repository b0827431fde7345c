// What the provider's own servers ran for the model, with its output in the history.
import { Context, inspect, project, readMessages, repair, validate } from 'trimtab'
import { openToolCalls } from 'trimtab/tools'
import { describe, expect, test } from 'vitest'

const originalText = 'a line that an MCP server sent\n'.repeat(400)
const prompt = { role: 'user', content: 'Look it up.' }

/** An answer that asked a server of MCP twice and says what it found. */
const anthropic = (content: unknown): object[] => [
  prompt,
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'search', server_name: 'docs', input: { query: 'a' } },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content },
      { type: 'text', text: 'Again.' },
      { type: 'mcp_tool_use', id: 'mcptoolu_2', name: 'search', server_name: 'docs', input: { query: 'b' } },
      { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_2', is_error: false, content: 'nothing' },
      { type: 'text', text: 'Found.' },
    ],
  },
  { role: 'user', content: 'Thanks.' },
  { role: 'assistant', content: [{ type: 'text', text: 'You are welcome.' }] },
]

const call = (id: string, output: string | null) => ({
  type: 'mcp_call',
  id,
  name: 'search',
  server_label: 'docs',
  arguments: '{"query":"a"}',
  status: 'completed',
  output,
})

const responses: object[] = [
  prompt,
  call('mcp_1', originalText),
  call('mcp_2', null),
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
  { role: 'user', content: 'Thanks.' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'You are welcome.' }] },
]

const histories: [string, object[], (message: object) => unknown][] = [
  ['mcp_tool_result of Anthropic, a text', anthropic(originalText), partOf],
  ['mcp_tool_result of Anthropic, a list', anthropic([{ type: 'text', text: originalText }]), partOf],
  ['mcp_call of OpenAI', responses, (item) => (item as { output: unknown }).output],
]

function partOf(message: object): unknown {
  return (message as { content: { content: unknown }[] }).content[2]?.content
}

describe.each(histories)('%s', (_, history, output) => {
  const clear = { age: { maxToolOutputAge: 0 }, recall: true }

  test('is read as a tool result, cleared and recalled', () => {
    expect(validate(history)).toEqual([])
    expect(inspect(history)).toMatchObject({ unansweredCalls: [], orphanResults: [] })
    const context = new Context(clear)
    const { messages, report } = context.project(history)
    expect(JSON.stringify(output(messages[1] as object))).toMatch(
      /\[cleared search output, .*recall [0-9a-f]{8}\]/,
    )
    expect(validate(messages)).toEqual([])
    expect(repair(messages).repairs).toEqual([])
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 10)
    const [, reference = ''] =
      /recall ([0-9a-f]{8})/.exec(JSON.stringify(output(messages[1] as object))) ?? []
    const recalled = context.recall(reference)
    expect(recalled?.content).toEqual(output(history[1] as object))
  })

  test('keeps the shape that the provider sent when cleared', () => {
    const { messages } = project(history, clear)
    const stub = output(messages[1] as object)
    expect(Array.isArray(stub)).toBe(Array.isArray(output(history[1] as object)))
    const [text] = (Array.isArray(stub) ? stub : [{ text: stub }]) as { text: string }[]
    const written = JSON.stringify(history[1]).replace(
      JSON.stringify(originalText),
      JSON.stringify(text?.text),
    )
    expect(messages[1]).toEqual(JSON.parse(written))
    expect([messages[0], ...messages.slice(2)]).toEqual([history[0], ...history.slice(2)])
  })

  test('is not an open call', () => {
    const answer = history.slice(0, -2)
    expect(readMessages(answer).messages.at(-1)?.endsTurn).toBe(true)
    expect(openToolCalls(answer)).toEqual([])
  })
})

test('validate accepts an unanswered call of a provider tool', () => {
  const [, answer] = anthropic(originalText) as [object, { content: object[] }]
  const paused = [prompt, { ...answer, content: answer.content.slice(0, 2) }]
  expect(validate(paused)).toEqual([])
  expect(validate([prompt, call('mcp_1', null), prompt])).toEqual([])
})

test.each([
  'mcp_tool_result',
  'web_search_tool_result',
  'code_execution_tool_result',
  'advisor_tool_result',
  'tool_search_tool_result',
])('repair takes out a %s whose call is missing', (type) => {
  const text = { type: 'text', text: 'Found.' }
  const orphan = { type, tool_use_id: 'srvtoolu_1', content: [] }
  const said = (...content: object[]) => ({ role: 'assistant', content })
  const system = { role: 'system', content: 'Be brief.' }
  const call = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'x', input: {} }
  const cases = [
    [
      [prompt, said(text, orphan), prompt],
      [prompt, said(text), prompt],
    ],
    [
      [prompt, said(orphan), prompt],
      [prompt, prompt],
    ],
    [
      [prompt, said(orphan, call), prompt],
      [prompt, said(call), prompt],
    ],
    [
      [prompt, said(text, orphan), system],
      [prompt, said(text), { ...system, role: 'user' }],
    ],
  ] as [object[], object[]][]
  for (const [history, repaired] of cases) {
    expect(validate(history)[0]).toMatchObject({ rule: 'orphan-result', index: 1, repairable: true })
    expect(repair(history).messages).toEqual(repaired)
    expect(validate(repaired)).toEqual([])
  }
  const signed = [prompt, said({ type: 'thinking', thinking: 'hm', signature: 'c2ln' }, orphan, text)]
  expect(validate(signed)).toMatchObject([{ rule: 'orphan-result', index: 1, repairable: false }])
  expect(repair(signed).messages).toEqual(signed)
})
