// Calls that a provider runs, with what belongs to them in later messages: both are kept, or both are dropped.
import { compact } from 'trimtab/compaction'
import { describe, expect, test } from 'vitest'

const ask = { role: 'user', content: 'Go. '.repeat(500) }
const said = { type: 'text', text: 'Let me look. '.repeat(100) }
const served = (id: string, name: string) => ({ type: 'server_tool_use', id, name, input: {} })
const own = (id: string, caller: string) => ({
  type: 'tool_use',
  id,
  name: 'read',
  input: {},
  caller: { type: 'code_execution_20250825', tool_id: caller },
})
const result = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'x' }],
})
const answer = (...content: object[]) => ({ role: 'assistant', content })
const paused = (kind: string, call: (id: string) => object, id: string, more: object = {}) => [
  answer(said, call(id)),
  answer({ type: kind, tool_use_id: id, content: [], ...more }, { type: 'text', text: 'Found.' }),
]
const lone = (type: string, fields: object) => ({ type, ...fields })

/** Messages that belong together. */
const EXCHANGES: Record<string, (id: string) => object[]> = {
  'web search after a pause': (id) =>
    paused('web_search_tool_result', (call) => served(call, 'web_search'), id),
  'web fetch after a pause': (id) => paused('web_fetch_tool_result', (call) => served(call, 'web_fetch'), id),
  'advisor after a pause': (id) => paused('advisor_tool_result', (call) => served(call, 'advisor'), id),
  'a kind of tomorrow': (id) => paused('x_tool_result', (call) => lone('x_tool_use', { id: call }), id),
  'MCP server after a pause': (id) =>
    paused(
      'mcp_tool_result',
      (call) => lone('mcp_tool_use', { id: call, name: 'q', server_name: 's', input: {} }),
      id,
      {
        is_error: false,
      },
    ),
  'program that calls a tool': (id) => [
    answer(said, served(id, 'code_execution'), own(`${id}a`, id)),
    result(`${id}a`),
    answer(
      { type: 'code_execution_tool_result', tool_use_id: id, content: {} },
      { type: 'text', text: 'Done.' },
    ),
  ],
  'program that calls tools in turn': (id) => [
    answer(said, served(id, 'code_execution'), own(`${id}a`, id)),
    result(`${id}a`),
    answer(own(`${id}b`, id)),
    result(`${id}b`),
    answer(
      { type: 'code_execution_tool_result', tool_use_id: id, content: {} },
      { type: 'text', text: 'Done.' },
    ),
  ],
  'approval of an MCP call of OpenAI': (id) => [
    lone('mcp_approval_request', { id, name: 'q', server_label: 's', arguments: '{}' }),
    lone('mcp_approval_response', { approval_request_id: id, approve: true }),
    lone('mcp_call', {
      id: `${id}c`,
      approval_request_id: id,
      name: 'q',
      server_label: 's',
      arguments: '{}',
      output: 'x',
    }),
  ],
  'tool search of the host': (id) => [
    lone('tool_search_call', { id: `${id}a`, call_id: id, execution: 'client', arguments: {} }),
    lone('tool_search_output', { call_id: id, execution: 'client', tools: [] }),
  ],
  'tool search of OpenAI': (id) => [
    lone('tool_search_call', { id: `${id}a`, call_id: null, execution: 'server', arguments: {} }),
    lone('tool_search_output', { id: `${id}b`, call_id: null, execution: 'server', tools: [] }),
  ],
  'web search of the AI SDK': (id) => [
    answer(said, { type: 'tool-call', toolCallId: id, toolName: 'web', input: {}, providerExecuted: true }),
    answer(
      { type: 'tool-result', toolCallId: id, toolName: 'web', output: { type: 'json', value: [] } },
      said,
    ),
  ],
  'server tool of LangChain': (id) => [
    { type: 'ai', content: [said, lone('server_tool_call', { id, name: 'web', args: {} })] },
    {
      type: 'ai',
      content: [lone('server_tool_call_result', { toolCallId: id, status: 'success', output: {} }), said],
    },
  ],
  'search of Gemini': (id) => [
    { role: 'model', parts: [{ toolCall: { id, toolType: 'GOOGLE_SEARCH_WEB', args: {} } }] },
    {
      role: 'model',
      parts: [{ toolResponse: { id, toolType: 'GOOGLE_SEARCH_WEB', response: {} } }, { text: 'x' }],
    },
  ],
}

/** The user's message, in the format of an exchange. */
function prompt([first]: object[]): object {
  if (first !== undefined && 'parts' in first) return { role: 'user', parts: [{ text: ask.content }] }
  const isLangChain = first !== undefined && 'type' in first && first.type === 'ai'
  return isLangChain ? { type: 'human', content: ask.content } : { ...ask }
}

const summarize = () => 'A summary.'

describe.each(Object.entries(EXCHANGES))('%s', (_, exchange) => {
  const all = Array.from({ length: 4 }, (_, i) => exchange(`srvtoolu_${i}`))
  const history = all.flatMap((own) => [prompt(own), ...own])

  test('is cut before or after it', async () => {
    const cuts = new Set<number>()
    for (let keepRecentMessages = 0; keepRecentMessages < history.length; keepRecentMessages++) {
      const { messages } = await compact(history, { threshold: 0, keepRecentMessages, summarize })
      const kept = new Set(messages)
      const shares = all.map((own) => own.filter((message) => kept.has(message)).length / own.length)
      expect(shares.filter((share) => share !== 0 && share !== 1)).toEqual([])
      cuts.add(shares.filter((share) => share === 1).length)
    }
    // Each exchange alone can be dropped.
    expect([...cuts].sort()).toEqual([0, 1, 2, 3, 4])
  })
})

const pause = answer(said, served('srvtoolu_1', 'web_search'))
const working = [pause, answer(said, served('srvtoolu_2', 'code_execution'), own('toolu_1', 'srvtoolu_2'))]
const open = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
}

test.each<[string, object[], (object | undefined)[]]>([
  ['a paused search', [ask, pause], [pause]],
  ['a call of the host', [ask, open], [open]],
  [
    'a program whose call has a result',
    [ask, ...working, result('toolu_1')],
    [working[1], result('toolu_1')],
  ],
  ['a paused search that the user left', [ask, pause, { ...ask, content: 'Stop.' }], []],
])('%s is kept while its result is to come, even if nothing is to be kept', async (_, history, kept) => {
  const earlier = [ask, { role: 'assistant', content: 'x '.repeat(900) }]
  const made = await compact<object>([...earlier, ...history], {
    threshold: 0,
    keepRecentMessages: 0,
    summarize,
  })
  const said = made.messages.filter(
    (message) => JSON.stringify(message).length < 2000 || kept.includes(message),
  )
  expect(made.compacted).toBe(true)
  expect(said.slice(said.length - kept.length)).toEqual(kept)
  expect(made.messages).toHaveLength(2 + kept.length)
})
