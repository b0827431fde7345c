import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { problems } from '../node/oracle.js'
import { FORMATS } from '../node/write.js'
import { convert, go, image, type Json, lostIn, png, result, use } from './converting.js'
import { messageFiles } from './files.js'

describe('a history of Anthropic messages', () => {
  const history = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, use('a', 'read', { path: 'x' })] },
    { role: 'user', content: [result('a', 'text of x')] },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  const expected: Record<Exclude<Format, 'anthropic'>, Json[]> = {
    'openai-chat': [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'text of x' },
      { role: 'assistant', content: 'Done.' },
    ],
    'openai-responses': [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: image, detail: 'auto' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I read.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"x"}' },
      { type: 'function_call_output', call_id: 'a', output: 'text of x' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
      },
    ],
    'ai-sdk': [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', image: png, mediaType: 'image/png' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'read',
            output: { type: 'text', value: 'text of x' },
          },
        ],
      },
      { role: 'assistant', content: 'Done.' },
    ],
    'ai-sdk-ui': [
      {
        id: 'message-0',
        role: 'user',
        parts: [
          { type: 'text', text: 'Look.' },
          { type: 'file', mediaType: 'image/png', url: image },
        ],
      },
      {
        id: 'message-1',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'I read.' },
          {
            type: 'tool-read',
            toolCallId: 'a',
            state: 'output-available',
            output: 'text of x',
            input: { path: 'x' },
          },
          { type: 'step-start' },
          { type: 'text', text: 'Done.' },
        ],
      },
    ],
    gemini: [
      { role: 'user', parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: png } }] },
      {
        role: 'model',
        parts: [{ text: 'I read.' }, { functionCall: { id: 'a', name: 'read', args: { path: 'x' } } }],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'a', name: 'read', response: { output: 'text of x' } } }],
      },
      { role: 'model', parts: [{ text: 'Done.' }] },
    ],
    langchain: [
      {
        type: 'human',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
      {
        type: 'ai',
        content: 'I read.',
        tool_calls: [{ type: 'tool_call', id: 'a', name: 'read', args: { path: 'x' } }],
      },
      { type: 'tool', tool_call_id: 'a', name: 'read', content: 'text of x' },
      { type: 'ai', content: 'Done.' },
    ],
  }

  test.each(Object.entries(expected) as [Format, Json[]][])('converts to %s and back', (to, messages) => {
    const there = convert('anthropic', to, history)
    expect(there).toEqual({ messages, lost: [] })
    expect(convert(to, 'anthropic', there.messages)).toEqual({ messages: history, lost: [] })
  })
})

describe('every file of messages', () => {
  const cases = messageFiles().flatMap((file) => FORMATS.map((to) => ({ ...file, to })))

  test.each(cases)('$name converted to $to is valid', ({ text, to }) => {
    const { format, messages, system } = readTranscript(text)
    const converted = convertMessages(messages, to, {
      ...(system === undefined ? {} : { system }),
      format: format,
    })
    // Messages that stay in their format are unchanged; the oracles do not know their server-side tools.
    if (to !== format) expect(problems(converted.messages, to)).toEqual([])
    expect(JSON.stringify(converted)).toContain('North is hot.')
  })
})

describe('a separate system prompt', () => {
  test.each(FORMATS)('is put into the right place in %s', (to) => {
    const { messages, system } = convertMessages([go], to, {
      format: to === 'openai-chat' ? 'anthropic' : 'openai-chat',
      system: 'Be brief.',
    })
    const isBeside = to === 'anthropic' || to === 'gemini'
    expect(system).toBe(isBeside ? 'Be brief.' : undefined)
    expect(messages).toHaveLength(isBeside ? 1 : 2)
    expect(JSON.stringify(messages[0]).includes('Be brief.')).toBe(!isBeside)
  })
})

test('a system message without text is left out, and reported', () => {
  const content = [{ type: 'input_image', image_url: image }]
  const history = [
    { type: 'message', role: 'developer', content },
    { role: 'user', content: 'go' },
  ]
  for (const to of FORMATS.filter((format) => format !== 'openai-responses')) {
    const converted = convert('openai-responses', to, history)
    expect(converted.messages).toHaveLength(1)
    expect(lostIn(converted)).toEqual(['file of type image/png', 'message without content'])
  }
})

test('content other than text in a system message is reported for every target', () => {
  const content = [
    { type: 'input_text', text: 'Be brief.' },
    { type: 'input_image', image_url: image },
  ]
  const history = [
    { type: 'message', role: 'developer', content },
    { role: 'user', content: 'go' },
  ]
  for (const to of FORMATS.filter((format) => format !== 'openai-responses')) {
    const named = lostIn(convertMessages(history, to, { format: 'openai-responses' })).filter((what) =>
      what.startsWith('file'),
    )
    expect([to, named]).toEqual([to, ['file of type image/png']])
  }
})

describe('conversion of calls and results', () => {
  test('moves text after a call in front of it for Anthropic', () => {
    const history = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: {} },
          { type: 'text', text: 'I looked.' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'ls', output: { type: 'text', value: 'x' } },
        ],
      },
    ]
    expect(convert('ai-sdk', 'anthropic', history).messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'I looked.' }, use('a', 'ls')],
    })
  })

  test('orders results like their calls for Gemini', () => {
    const history = [
      go,
      { role: 'assistant', content: [use('a'), use('b')] },
      { role: 'user', content: [result('b', '2'), result('a', '1')] },
    ]
    const { messages } = convert('anthropic', 'gemini', history)
    expect(
      (messages[2] as { parts: { functionResponse: Json }[] }).parts.map((part) => part.functionResponse.id),
    ).toEqual(['a', 'b'])
  })

  test('creates missing ids from positions and avoids existing ids', () => {
    const called = (id: string | undefined): Json => ({
      role: 'model',
      parts: [{ functionCall: { ...(id === undefined ? {} : { id }), name: 'ls', args: {} } }],
    })
    const returned = (id: string | undefined): Json => ({
      role: 'user',
      parts: [
        { functionResponse: { ...(id === undefined ? {} : { id }), name: 'ls', response: { output: 'x' } } },
      ],
    })
    const history = [
      { role: 'user', parts: [{ text: 'go' }] },
      called(undefined),
      returned(undefined),
      called('call_1_0'),
      returned('call_1_0'),
    ]
    const there = convert('gemini', 'openai-chat', history)
    expect(there.lost).toEqual([])
    expect(there.messages.flatMap((message) => (message as Json).tool_call_id ?? [])).toEqual([
      'call_1_0_2',
      'call_1_0',
    ])
  })

  test('keeps JSON results as values if the target has values', () => {
    const values = [
      { a: 1 },
      [1, 2],
      7,
      null,
      {},
      { error: 'x' },
      { error: 'x', code: 1 },
      { output: 'x' },
      { result: 'x' },
      { result: { a: 1 } },
    ]
    for (const value of values) {
      const history = [
        go,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: {} }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'ls', output: { type: 'json', value } },
          ],
        },
      ]
      for (const to of ['gemini', 'ai-sdk-ui'] as const) {
        const there = convert('ai-sdk', to, history)
        expect([to, convert(to, 'ai-sdk', there.messages)]).toEqual([to, { messages: history, lost: [] }])
      }
      const chat = convert('ai-sdk', 'openai-chat', history).messages[2] as Json
      expect(chat.content).toBe(JSON.stringify(value))
    }
  })

  test('keeps a call of a custom tool between OpenAI formats', () => {
    const history = [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin Patch' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ]
    const there = convert('openai-chat', 'openai-responses', history)
    expect(there.messages.slice(1)).toEqual([
      { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'a', output: 'done' },
    ])
    expect(convert('openai-responses', 'openai-chat', there.messages)).toEqual({
      messages: history,
      lost: [],
    })
  })

  test('keeps provider-executed tools between AI SDK formats and reports them otherwise', () => {
    const history = [
      go,
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'w', toolName: 'web', input: { q: 1 }, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'w', toolName: 'web', output: { type: 'json', value: [1] } },
          { type: 'text', text: 'Found.' },
        ],
      },
    ]
    const ui = convert('ai-sdk', 'ai-sdk-ui', history)
    expect((ui.messages[1] as { parts: Json[] }).parts[1]).toMatchObject({
      providerExecuted: true,
      output: [1],
    })
    expect(convert('ai-sdk-ui', 'ai-sdk', ui.messages)).toEqual({ messages: history, lost: [] })
    expect(lostIn(convert('ai-sdk', 'anthropic', history))).toEqual(['server-side tool "web"'])
  })

  test('turns a denied call into a failure', () => {
    const history = [
      go,
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'rm', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'rm',
            output: { type: 'execution-denied', reason: 'No.' },
          },
        ],
      },
    ]
    const there = convert('ai-sdk', 'anthropic', history)
    expect(lostIn(there)).toEqual(['form of a denied call (now a failure)'])
    expect((there.messages[2] as { content: Json[] }).content).toEqual([
      { ...result('a', 'No.'), is_error: true },
    ])
  })

  test('reports a result without its call for UIMessages', () => {
    const history = [go, { role: 'tool', tool_call_id: 'a', content: 'x' }]
    expect(lostIn(convert('openai-chat', 'ai-sdk-ui', history))).toEqual(['result without its call'])
  })

  test('keeps cache_control between formats that have it', () => {
    const history = [
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
    ]
    for (const to of ['ai-sdk', 'ai-sdk-ui', 'langchain'] as const) {
      const there = convert('anthropic', to, history)
      expect(there.lost).toEqual([])
      expect(convert(to, 'anthropic', there.messages)).toEqual({ messages: history, lost: [] })
    }
    expect(lostIn(convert('anthropic', 'gemini', history))).toEqual(['cache_control'])
  })

  test('keeps a refusal between OpenAI formats and makes it text otherwise', () => {
    const history = [go, { role: 'assistant', content: null, refusal: 'I will not.' }]
    const items = convert('openai-chat', 'openai-responses', history)
    expect(items.messages[1]).toMatchObject({ content: [{ type: 'refusal', refusal: 'I will not.' }] })
    expect(items.lost).toEqual([])
    const there = convert('openai-chat', 'gemini', history)
    expect(lostIn(there)).toEqual(['mark of a refusal (now text)'])
    expect(there.messages[1]).toEqual({ role: 'model', parts: [{ text: 'I will not.' }] })
  })
})

describe('conversion of LangChain messages', () => {
  class AIMessage {
    readonly content = 'I read.'
    readonly tool_calls = [{ id: 'a', name: 'read', args: { path: 'x' } }]
    _getType(): string {
      return 'ai'
    }
  }
  class ToolMessage {
    readonly type = 'tool'
    readonly content = 'text of x'
    readonly tool_call_id = 'a'
  }
  const copy = { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } }
  const plain = { type: 'ai', content: 'I read.' }
  const answers: [string, object][] = [
    ['instance', new AIMessage()],
    ['plain', { ...plain, tool_calls: [{ id: 'a', name: 'read', args: { path: 'x' } }] }],
    [
      'with data',
      {
        type: 'ai',
        data: { content: 'I read.', tool_calls: [{ id: 'a', name: 'read', args: { path: 'x' } }] },
      },
    ],
    [
      'serialised',
      {
        lc: 1,
        type: 'constructor',
        id: ['a', 'AIMessageChunk'],
        kwargs: { content: 'I read.', tool_calls: [{ id: 'a', name: 'read', args: { path: 'x' } }] },
      },
    ],
    [
      "with the provider's form of the call only",
      { ...plain, tool_calls: [], additional_kwargs: { tool_calls: [copy] } },
    ],
    [
      "with the provider's copy of the call",
      {
        type: 'ai',
        content: [{ type: 'text', text: 'I read.' }, use('a', 'read', { path: 'x' })],
        tool_calls: [{ id: 'a', name: 'read', args: { path: 'x' } }],
        additional_kwargs: { tool_calls: [copy] },
      },
    ],
  ]

  test.each(answers)('accepts a message of the form: %s', (_name, answer) => {
    const { messages, lost } = convertMessages(
      [{ type: 'human', content: 'go' }, answer, new ToolMessage()],
      'anthropic',
      { format: 'langchain' },
    )
    expect({ messages, lost }).toEqual({
      messages: [
        go,
        { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, use('a', 'read', { path: 'x' })] },
        { role: 'user', content: [result('a', 'text of x')] },
      ],
      lost: [],
    })
  })

  test('leaves out a call with invalid arguments that was not answered', () => {
    const invalid_tool_calls = [{ id: 'a', name: 'read', args: '{"pa' }]
    const history = [
      { type: 'human', content: 'go' },
      { type: 'ai', content: 'I read.', invalid_tool_calls },
    ]
    const { lost, messages } = convert('langchain', 'openai-chat', history)
    expect(messages[1]).toEqual({ role: 'assistant', content: 'I read.' })
    expect(lost).toEqual([{ index: 1, what: 'call with invalid arguments and without a result' }])
  })

  test('keeps a call with invalid arguments', () => {
    const history = [
      { type: 'human', content: 'go' },
      {
        type: 'ai',
        content: '',
        tool_calls: [],
        invalid_tool_calls: [{ id: 'a', name: 'read', args: '{"pa' }],
      },
      { type: 'tool', content: 'Error: no JSON', tool_call_id: 'a' },
    ]
    const { messages } = convert('langchain', 'openai-chat', history)
    expect(messages[1]).toMatchObject({
      tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"pa' } }],
    })
  })
})

test('convertMessages refuses an unknown target format', () => {
  const wrong = (): unknown => convertMessages([go], 'toString' as Format, { format: 'openai-chat' })
  expect(wrong).toThrow(expect.objectContaining({ code: 'invalid_option', argument: 'to' }))
})
