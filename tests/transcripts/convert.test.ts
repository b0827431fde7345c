import { type ConvertedMessages, convertMessages } from 'trimtab/formats'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { fixtures, realSessions } from './files.js'
import { problemsOf } from './validity.js'

type Json = Record<string, unknown>

const png = 'iVBORw0KGgo='
const call = (id: string, name: string, args: string): Json => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const asks = (...calls: Json[]): Json => ({ role: 'assistant', content: null, tool_calls: calls })
const answer = (id: string, content: unknown): Json => ({ role: 'tool', tool_call_id: id, content })
const use = (id: string, name: string, input: Json): Json => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, more: Json = {}): Json => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})

describe('convertMessages from Chat Completions to Anthropic', () => {
  const cases: [string, Json[], Partial<ConvertedMessages>][] = [
    [
      'the system prompt is returned separately',
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: 'Hi' },
      ],
      {
        messages: [{ role: 'user', content: 'Hi' }],
        system: 'Be brief.\n\nBe kind.',
        lost: [0, 1].map((index) => ({
          index,
          what: 'system message (Anthropic takes it beside the messages)',
        })),
      },
    ],
    [
      'results are put into the user message after the calls, before its text',
      [
        asks(call('a', 'read', '{"path":"x"}'), call('b', 'ls', '')),
        answer('a', '1'),
        answer('b', [{ type: 'text', text: '2' }]),
        { role: 'user', content: 'Well?' },
      ],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'read', { path: 'x' }), use('b', 'ls', {})] },
          {
            role: 'user',
            content: [result('a', '1'), result('b', '2'), { type: 'text', text: 'Well?' }],
          },
        ],
        lost: [],
      },
    ],
    [
      'a late result is moved to its call',
      [asks(call('a', 'run', '{}')), { role: 'user', content: 'Hurry.' }, answer('a', 'done')],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'run', {})] },
          { role: 'user', content: [result('a', 'done'), { type: 'text', text: 'Hurry.' }] },
        ],
      },
    ],
    [
      'a result goes to the newest unanswered call of its id',
      [
        asks(call('a', 'run', '{}')),
        { role: 'user', content: 'Again.' },
        asks(call('a', 'run', '{}')),
        answer('a', 'done'),
      ],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'run', {})] },
          { role: 'user', content: 'Again.' },
          { role: 'assistant', content: [use('a_2', 'run', {})] },
          { role: 'user', content: [result('a_2', 'done')] },
        ],
      },
    ],
    [
      'a second result of one call is left out',
      [asks(call('a', 'run', '{}')), answer('a', 'done'), answer('a', 'done twice')],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'run', {})] },
          { role: 'user', content: [result('a', 'done')] },
        ],
        lost: [{ index: 2, what: 'second result of the same call' }],
      },
    ],
    [
      'images as data URL and as URL and a PDF are converted',
      [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
            { type: 'image_url', image_url: { url: 'https://example.org/kiln.png' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${png}` } },
          ],
        },
      ],
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
              { type: 'image', source: { type: 'url', url: 'https://example.org/kiln.png' } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: png },
                title: 'a.pdf',
              },
            ],
          },
        ],
        lost: [],
      },
    ],
    [
      'a repeated call id is replaced in the call and its result',
      [
        asks(call('a', 'x', '{}')),
        answer('a', '1'),
        asks(call('a', 'x', '{}')),
        answer('a', '2'),
        asks(call('a|b', 'x', '{}')),
        answer('a|b', '3'),
      ],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'x', {})] },
          { role: 'user', content: [result('a', '1')] },
          { role: 'assistant', content: [use('a_2', 'x', {})] },
          { role: 'user', content: [result('a_2', '2')] },
          { role: 'assistant', content: [use('a_b', 'x', {})] },
          { role: 'user', content: [result('a_b', '3')] },
        ],
        lost: [2, 4].map((index) => ({ index, what: 'id of a call (now another one)' })),
      },
    ],
    [
      'arguments that are not an object are kept as text',
      [asks(call('a', 'x', 'not json')), asks(call('b', 'x', '[1]'))],
      {
        messages: [
          { role: 'assistant', content: [use('a', 'x', { arguments: 'not json' })] },
          { role: 'assistant', content: [use('b', 'x', { arguments: '[1]' })] },
        ],
      },
    ],
    [
      'a call of a custom tool is converted',
      [asks({ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin Patch' } })],
      {
        messages: [{ role: 'assistant', content: [use('a', 'apply_patch', { input: '*** Begin Patch' })] }],
        lost: [{ index: 0, what: 'form of a free input (now an argument "input")' }],
      },
    ],
    [
      'content without a counterpart is reported with its message',
      [
        {
          role: 'user',
          name: 'ana',
          content: [
            { type: 'input_audio', input_audio: {} },
            { type: 'text', text: 'Hi' },
          ],
        },
        { role: 'assistant', content: 'Yes', reasoning_content: 'Hm', refusal: null },
        { role: 'assistant', content: '' },
        { role: 'function', name: 'f', content: 'x' },
      ],
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [{ type: 'text', text: 'Yes' }] },
        ],
        lost: [
          { index: 0, what: 'part of type "input_audio"' },
          { index: 0, what: 'name of the speaker' },
          { index: 1, what: 'reasoning' },
          { index: 2, what: 'message without text or calls' },
          { index: 3, what: 'message of role "function"' },
        ],
      },
    ],
  ]

  test.each(cases)('%s', (_name, messages, expected) => {
    expect(convertMessages(messages, 'anthropic', { format: 'openai-chat' })).toMatchObject(expected)
  })
})

describe('convertMessages from Anthropic to Chat Completions', () => {
  const cases: [string, Json[], Partial<ConvertedMessages>][] = [
    [
      'calls and results are converted',
      [
        { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, use('a', 'read', { path: 'x' })] },
        {
          role: 'user',
          content: [result('a', [{ type: 'text', text: '1' }]), { type: 'text', text: 'Well?' }],
        },
      ],
      {
        messages: [
          { role: 'assistant', content: 'I read.', tool_calls: [call('a', 'read', '{"path":"x"}')] },
          answer('a', '1'),
          { role: 'user', content: 'Well?' },
        ],
        lost: [],
      },
    ],
    [
      'an image in a result is moved after the results',
      [
        { role: 'assistant', content: [use('a', 'shot', {})] },
        {
          role: 'user',
          content: [
            result('a', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]),
          ],
        },
      ],
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [call('a', 'shot', '{}')] },
          answer('a', ''),
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Image from the result of a:' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
            ],
          },
        ],
        lost: [{ index: 1, what: 'place of an image in a result (now in the user message behind it)' }],
      },
    ],
    [
      'content without a counterpart is reported with its message',
      [
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'Hm', signature: 's' }, use('a', 'x', {})],
        },
        { role: 'user', content: [result('a', 'bad', { is_error: true })] },
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
      ],
      {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: null, tool_calls: [call('a', 'x', '{}')] },
          answer('a', 'bad'),
        ],
        lost: [
          { index: 0, what: 'cache_control' },
          { index: 1, what: 'reasoning' },
          { index: 2, what: 'mark of a failed result (is_error)' },
          { index: 3, what: 'reasoning' },
          { index: 3, what: 'message without text or calls' },
        ],
      },
    ],
  ]

  test.each(cases)('%s', (_name, messages, expected) => {
    expect(convertMessages(messages, 'openai-chat', { format: 'anthropic' })).toMatchObject(expected)
  })

  test('a separate system prompt becomes the first message', () => {
    const { messages } = convertMessages([{ role: 'user', content: 'Hi' }], 'openai-chat', {
      format: 'anthropic',
      system: 'Be brief.',
    })
    expect(messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })
})

test('an input that JSON cannot represent is an error that names the message', () => {
  const input: Json = {}
  input.self = input
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [use('a', 'x', input)] },
  ]
  const convert = (): unknown => convertMessages(messages, 'openai-chat', { format: 'anthropic' })
  expect(convert).toThrow(expect.objectContaining({ code: 'unreadable_message', index: 1 }))
})

describe('conversion of every session', () => {
  const sessions = [...fixtures(), ...realSessions()]

  test.each(sessions)('$name is valid in the other format and back again', ({ text }) => {
    const { messages, format } = readTranscript(text)
    const other = format === 'anthropic' ? 'openai-chat' : 'anthropic'
    const there = convertMessages(messages, other, { format })
    expect(problemsOf(there.messages, other)).toEqual([])
    const back = convertMessages(there.messages, format, { format: other })
    expect(problemsOf(back.messages, format)).toEqual([])
  })

  test.each(sessions)('$name keeps its texts, calls and results in both directions', ({ text }) => {
    const { messages, format } = readTranscript(text)
    const other = format === 'anthropic' ? 'openai-chat' : 'anthropic'
    const there = convertMessages(messages, other, { format })
    const back = convertMessages(there.messages, format, { format: other })
    expect(substance(there.messages)).toEqual(substance(messages))
    expect(substance(back.messages)).toEqual(substance(messages))
  })

  test.each(sessions)('$name is not changed', ({ text }) => {
    const { messages, format } = readTranscript(text)
    const before = JSON.stringify(messages)
    const same = convertMessages(messages, format, { format })
    convertMessages(messages, format === 'anthropic' ? 'openai-chat' : 'anthropic', { format })
    expect(JSON.stringify(messages)).toBe(before)
    expect(same.messages).toEqual(messages)
    expect(same.lost).toEqual([])
  })
})

test('convertMessages refuses messages that are not a list', () => {
  expect(() => convertMessages('text' as never, 'gemini', { format: 'openai-chat' })).toThrow(
    expect.objectContaining({ code: 'invalid_messages', argument: 'messages' }),
  )
})

/** Content that must survive in both formats, in order: texts, calls with their arguments, and results. */
function substance(messages: readonly object[]): string[] {
  return (messages as Json[]).flatMap((message) => {
    if (message.role === 'system' || message.role === 'developer') return []
    if (message.role === 'tool') return [`result ${textOf(message.content)}`]
    const calls = (message.tool_calls ?? []) as Json[]
    return [...contentOf(message.content), ...calls.map(chatCall)]
  })
}

function contentOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return ((content ?? []) as Json[]).flatMap((block) => {
    if (block.type === 'text')
      return String(block.text).startsWith('Image from the result') ? [] : [String(block.text)]
    if (block.type === 'tool_use') return [callText(block.name, block.input)]
    return block.type === 'tool_result' ? [`result ${textOf(block.content)}`] : []
  })
}

function chatCall({ function: called, custom }: Json): string {
  const {
    name,
    arguments: args,
    input,
  } = (called ?? custom) as { name: string; arguments: string; input: string }
  if (custom !== undefined) return callText(name, { input })
  try {
    return callText(name, JSON.parse(args))
  } catch {
    return callText(name, { arguments: args })
  }
}

function callText(name: unknown, input: unknown): string {
  return `call ${String(name)} ${JSON.stringify(input)}`
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return ((content ?? []) as Json[])
    .flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
    .join('\n')
}

test.each(['anthropic', 'gemini', 'ai-sdk', 'ai-sdk-ui', 'langchain'] as const)(
  '%s: the free input of a call is reported as an argument',
  (to) => {
    const call = { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: '*** Begin' }
    const said = { role: 'assistant', content: [{ type: 'output_text', text: 'Now.' }] }
    const history = [{ role: 'user', content: 'go' }, { type: 'message', ...said }, call]
    const { lost } = convertMessages(history, to, { format: 'openai-responses' })
    expect(lost).toEqual([{ index: 2, what: 'form of a free input (now an argument "input")' }])
  },
)
