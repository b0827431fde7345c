import { Context, inspect, project, TrimtabError, validate } from 'trimtab'
import { trimtab } from 'trimtab/ai-sdk'
import { convertMessages } from 'trimtab/formats'
import { simulate } from 'trimtab/money'
import { describe, expect, test } from 'vitest'
import { FORMATS } from './write.js'

const tool = { toolCallId: 'a', toolName: 'ls' }
const user = { role: 'user', content: 'go' }
const text = 'a.ts\n'.repeat(300)

/** Histories of frameworks in their own formats: a prompt, a call, its result. */
const HISTORIES: Record<string, object[]> = {
  'OpenAI Agents': [
    user,
    { type: 'function_call', callId: 'a', name: 'ls', arguments: '{}', status: 'completed' },
    {
      type: 'function_call_result',
      callId: 'a',
      name: 'ls',
      status: 'completed',
      output: { type: 'text', text },
    },
  ],
  'TanStack AI': [
    user,
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', content: text, toolCallId: 'a' },
  ],
  Mastra: [
    {
      id: '1',
      role: 'user',
      createdAt: new Date(0),
      content: { format: 2, parts: [{ type: 'text', text: 'go' }] },
    },
    {
      id: '2',
      role: 'assistant',
      createdAt: new Date(1),
      content: {
        format: 2,
        parts: [
          { type: 'tool-invocation', toolInvocation: { state: 'result', ...tool, args: {}, result: text } },
        ],
      },
    },
  ],
  LlamaIndex: [
    user,
    { role: 'assistant', content: '', options: { toolCall: [{ id: 'a', name: 'ls', input: {} }] } },
    { role: 'user', content: text, options: { toolResult: { id: 'a', result: text, isError: false } } },
  ],
  'Bedrock Converse': [
    { role: 'user', content: [{ text: 'go' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'ls', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text }], status: 'success' } }] },
  ],
  'AI SDK 4 UI': [
    { id: '1', ...user },
    {
      id: '2',
      role: 'assistant',
      content: 'listed',
      toolInvocations: [{ state: 'result', ...tool, args: { path: '.' }, result: text }],
    },
  ],
  'AI SDK 4': [
    user,
    { role: 'assistant', content: [{ type: 'tool-call', ...tool, args: { path: '.' } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...tool, result: text }] },
  ],
  "Gemini's REST form": [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ function_call: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ function_response: { name: 'ls', response: { output: text } } }] },
  ],
  'Assistants API': [
    {
      id: 'msg_1',
      object: 'thread.message',
      thread_id: 'thread_1',
      role: 'user',
      content: [{ type: 'text', text: { value: text, annotations: [] } }],
    },
  ],
  'MCP: prompts': [{ role: 'user', content: { type: 'text', text } }],
  'MCP: sampling': [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', toolUseId: 'a', content: [{ type: 'text', text }] }],
    },
  ],
  'an object for its `content`': [user, { role: 'tool', tool_call_id: 'a', content: { stdout: text } }],
  'Pydantic AI': [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'go' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: '{}', tool_call_id: 'a' }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: text, tool_call_id: 'a' }],
    },
  ],
  Haystack: [
    { role: 'user', meta: {}, name: null, content: [{ text: 'go' }] },
    {
      role: 'assistant',
      meta: {},
      content: [{ tool_call: { tool_name: 'ls', arguments: {}, id: 'a' } }],
    },
    {
      role: 'tool',
      meta: {},
      content: [{ tool_call_result: { result: text, origin: { tool_name: 'ls', id: 'a' }, error: false } }],
    },
  ],
  Cline: [
    { id: '1', createdAt: 1, role: 'user', content: [{ type: 'text', text: 'go' }] },
    { id: '2', createdAt: 2, role: 'assistant', content: [{ type: 'tool-call', ...tool, input: {} }] },
    { id: '3', createdAt: 3, role: 'tool', content: [{ type: 'tool-result', ...tool, output: text }] },
  ],
  '`{ type, value }`': [
    user,
    { role: 'assistant', content: [{ type: 'tool-call', ...tool, input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', ...tool, output: { stdout: text } }] },
  ],
  'of pi': [
    { role: 'user', content: [{ type: 'text', text: 'go' }], timestamp: 1 },
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'a', name: 'ls', arguments: {} }],
      stopReason: 'toolUse',
      timestamp: 2,
    },
    { role: 'toolResult', ...tool, content: [{ type: 'text', text }], isError: false, timestamp: 3 },
  ],
  'Agent Client Protocol': [
    { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' } },
    { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'ls', status: 'pending' },
  ],
  'Semantic Kernel': [
    { role: 'user', items: [{ content_type: 'text', text: 'go' }] },
    { role: 'tool', items: [{ content_type: 'function_result', id: 'a', name: 'ls', result: text }] },
  ],
  "Microsoft's agents": [
    { role: 'user', contents: [{ $type: 'text', text: 'go' }] },
    { role: 'tool', contents: [{ $type: 'functionResult', callId: 'a', result: text }] },
  ],
  'LlamaIndex for Python': [
    { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'go' }] },
    { role: 'tool', additional_kwargs: { tool_call_id: 'a' }, blocks: [{ block_type: 'text', text }] },
  ],
  'LlamaIndex for Python: messages before 0.12': [
    { ...user, additional_kwargs: {} },
    {
      role: 'assistant',
      content: '',
      additional_kwargs: {
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
      },
    },
    { role: 'tool', content: text, additional_kwargs: { tool_call_id: 'a', name: 'ls' } },
  ],
  Zed: [{ id: 1, role: 'user', segments: [{ type: 'text', text }], tool_uses: [], tool_results: [] }],
  AG2: [
    user,
    {
      role: 'tool',
      name: 'u',
      content: text,
      tool_responses: [{ tool_call_id: 'a', role: 'tool', content: text }],
    },
  ],
  goose: [
    { role: 'user', created: 1, content: [{ type: 'text', text: 'go' }] },
    {
      role: 'user',
      created: 1,
      content: [{ type: 'toolResponse', id: 'a', toolResult: { status: 'success', value: [] } }],
    },
  ],
  'TanStack AI: UI messages': [
    { id: '1', role: 'user', parts: [{ type: 'text', content: 'go' }] },
    {
      id: '2',
      role: 'assistant',
      parts: [
        { type: 'tool-call', id: 'a', name: 'ls', arguments: '{}', state: 'input-complete' },
        { type: 'tool-result', toolCallId: 'a', content: text, state: 'complete' },
      ],
    },
  ],
  'AI SDK stream': [{ type: 'tool-output-available', toolCallId: 'a', output: text }],
  'Assistants API: an image': [
    {
      object: 'thread.message',
      role: 'user',
      content: [{ type: 'image_file', image_file: { file_id: 'f' } }],
    },
  ],
  'Assistants API: a run step': [{ object: 'thread.run.step', type: 'tool_calls', step_details: {} }],
  ADK: [{ author: 'user', invocationId: 'e', content: { role: 'user', parts: [{ text }] } }],
  opencode: [{ info: { id: 'm', role: 'user', sessionID: 's' }, parts: [{ type: 'text', text }] }],
  'readTranscript: Claude Code': [{ type: 'user', uuid: 'u', message: user }],
  'readTranscript: Codex': [
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [] } },
  ],
}

function refusal(run: () => unknown): TrimtabError {
  try {
    run()
  } catch (error) {
    if (error instanceof TrimtabError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('a history of another framework', () => {
  test.each(Object.entries(HISTORIES))('is refused with the name of the framework: %s', (name, messages) => {
    const framework = name.replace(' UI', '').replace(/:.*/, '')
    const calls = [
      () => project(messages, { age: true }),
      () => validate(messages),
      () => inspect(messages),
      () => new Context({ age: true }).project(messages),
      () => convertMessages(messages, 'openai-responses'),
      () => simulate(messages, { age: { age: true } }),
      // The path that adapters use.
      () => trimtab({ age: true }).prepareStep({ messages, steps: [], model: 'a-model' }),
    ]
    for (const call of calls) {
      const { code, message } = refusal(call)
      expect(code).toBe('unknown_format')
      expect(message).toContain(framework)
    }
    for (const format of FORMATS) {
      expect(['unknown_format', 'mixed_formats', 'invalid_message']).toContain(
        refusal(() => project(messages, { age: true }, { format })).code,
      )
    }
  })

  test.each([
    [
      { type: 'ToolCallExecutionEvent', source: 'a', content: [] },
      'role none, type "ToolCallExecutionEvent"',
    ],
    [{ messageType: 'TOOL', responses: [] }, 'role none, type none'],
    [{ role: 'CHATBOT', message: 'x' }, 'role "CHATBOT", type none'],
    [{ role: 'tool-response', content: [] }, 'role "tool-response", type none'],
    [{ role: 'x'.repeat(1000), content: '' }, `role "${'x'.repeat(40)}", type none`],
  ])('is refused with its role and type if the framework is unknown', (message, seen) => {
    expect(refusal(() => inspect([message])).message).toContain(seen)
  })

  test.each<[string, object[]]>([
    ['Haystack', [{ _role: 'user', _content: [{ text: 'go' }], _name: null, _meta: {} }]],
    [
      'Cohere v1',
      [
        { role: 'USER', message: 'go' },
        { role: 'CHATBOT', message: 'x' },
      ],
    ],
    [
      'A2A',
      [
        { kind: 'message', messageId: 'a', role: 'user', parts: [{ kind: 'text', text: 'go' }] },
        { kind: 'message', messageId: 'b', role: 'agent', parts: [{ kind: 'text', text: 'x' }] },
      ],
    ],
    ['A2A', [{ messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'x' }] }]],
  ])('is refused with advice if only the role tells what it is: %s', (framework, messages) => {
    for (const call of [() => inspect(messages), () => project(messages, { age: true })]) {
      expect(refusal(call).message).toContain(framework)
      expect(refusal(call).message).toContain('make `openai-chat` messages of it')
    }
  })

  test('is refused with advice if it is not an array of messages', () => {
    for (const field of ['messages', 'input', 'contents']) {
      const { code, message } = refusal(() => project({ [field]: [user] } as never, { age: true }))
      expect(code).toBe('invalid_messages')
      expect(message).toContain(`pass its \`${field}\``)
    }
    const file = `${JSON.stringify({ type: 'user', message: user })}\n`
    expect(refusal(() => validate(file as never)).message).toContain('readTranscript')
  })

  test('can be converted as the error advises', () => {
    const convert = (name: string, format: 'ai-sdk' | 'ai-sdk-ui' | 'gemini') =>
      convertMessages(HISTORIES[name] as object[], format === 'gemini' ? 'gemini' : 'ai-sdk', { format })
        .messages
    for (const messages of [
      convert('AI SDK 4 UI', 'ai-sdk-ui'),
      convert('AI SDK 4', 'ai-sdk'),
      convert("Gemini's REST form", 'gemini'),
    ]) {
      const { report } = project(messages, { age: { maxToolOutputAge: 0 } })
      expect(report.tokensBefore).toBeGreaterThan(400)
      expect(validate(messages)).toEqual([])
    }
  })
})

test("project clears results of Cohere and of Gemini's role `tool`, and reads Mistral's thinking", () => {
  const call = { id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }
  const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]
  const answer = { role: 'assistant', content: thinking, tool_calls: [call] }
  const documents = [{ type: 'document', document: { data: text } }]
  const cohere = (id: string) => [
    { ...answer, tool_calls: [{ ...call, id }] },
    { role: 'tool', tool_call_id: id, content: documents },
  ]
  const gemini = () => [
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
    { role: 'tool', parts: [{ functionResponse: { name: 'ls', response: { output: text } } }] },
  ]
  for (const history of [
    [user, ...cohere('a'), ...cohere('b')],
    [{ role: 'user', parts: [{ text: 'go' }] }, ...gemini(), ...gemini()],
  ] as object[][]) {
    expect(validate(history)).toEqual([])
    const { messages, report } = project(history, { age: { maxToolOutputAge: 0 } })
    expect(report.tokensBefore).toBeGreaterThan(700)
    expect(JSON.stringify(messages[2])).toMatch(/\[cleared ls output/)
    expect(messages[4]).toBe(history[4])
  }
})

// Ollama's tool messages have the tool's name and no id.
test('project pairs results without ids with calls by their order', () => {
  const call = (...paths: string[]) => ({
    role: 'assistant',
    content: '',
    tool_calls: paths.map((path) => ({ function: { name: 'ls', arguments: { path } } })),
  })
  const result = (path: string) => ({ role: 'tool', tool_name: 'ls', content: `${path}\n${text}` })
  const messages = [user, call('a', 'b'), result('a'), result('b'), call('c'), result('c')]
  const { messages: view, report } = project(messages, { age: { maxToolOutputAge: 0 } })
  expect(report.edits.map((edit) => edit.message)).toEqual([2, 3])
  expect(view.map((message) => (message as { content: string }).content.length < 100)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ])
})

test('project clears a text output of AI SDK 4 and writes the current form', () => {
  const step = (id: string) => [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'ls', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'ls', output: text }] },
  ]
  const history: object[] = [user, ...step('a'), ...step('b')]
  const view = project(history, { age: { maxToolOutputAge: 0 } }).messages
  const output = (view[2] as { content: { output: object }[] }).content[0]?.output
  expect(output).toEqual({ type: 'text', value: expect.stringContaining('cleared') })
})
