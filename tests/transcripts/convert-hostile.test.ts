import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { FORMATS } from '../node/write.js'
import { messageFiles } from './files.js'

/** Keys of all formats and of none, for values in places where they do not belong. */
const keys = fc.constantFrom(
  ...[
    'role',
    'type',
    'content',
    'parts',
    'text',
    'tool_calls',
    'function',
    'arguments',
    'id',
    'name',
    'input',
  ],
  ...[
    'call_id',
    'output',
    'summary',
    'tool_use_id',
    'source',
    'data',
    'toolCallId',
    'toolName',
    'state',
    'value',
  ],
  ...['functionCall', 'functionResponse', 'response', 'args', 'inlineData', 'kwargs', 'lc', 'tool_call_id'],
  ...[
    'toolInvocations',
    'function_call',
    'providerOptions',
    'image',
    'file',
    'url',
    'mediaType',
    '__proto__',
  ],
)
const words = fc.constantFrom(
  ...['user', 'assistant', 'system', 'tool', 'model', 'human', 'ai', 'text', 'constructor', 'function_call'],
  ...[
    'function_call_output',
    'reasoning',
    'message',
    'tool_use',
    'tool_result',
    'image',
    'file',
    'tool-call',
  ],
  ...[
    'tool-result',
    'tool-x',
    'dynamic-tool',
    'output-available',
    'output-error',
    'thinking',
    'content',
    'json',
  ],
  ...[
    'tool-invocation',
    'data:image/png;base64,AA',
    'data:,',
    'https://x/y.png',
    '{"a":1}',
    '',
    ' ',
    '\ud800',
  ],
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: words, weight: 6 },
    { arbitrary: fc.constantFrom(null, true, 0, -1), weight: 1 },
    { arbitrary: fc.array(tie('value'), { maxLength: 4 }), weight: 2 },
    { arbitrary: fc.dictionary(keys, tie('value'), { maxKeys: 6 }), weight: 4 },
  ),
}))
const messages = fc.array(fc.oneof(fc.dictionary(keys, value, { maxKeys: 8 }), value), { maxLength: 5 })

describe('arbitrary values as messages', () => {
  test.each(FORMATS)('are converted from %s to any format and back without an error', (from) => {
    fc.assert(
      fc.property(messages, fc.constantFrom(...FORMATS), (history, to) => {
        const plain = JSON.parse(JSON.stringify(history)) as object[]
        const there = convertMessages(plain, to, { format: from })
        expect(there.lost.every(({ index }) => index >= 0 && index < history.length)).toBe(true)
        // The messages equal their JSON: no field is `undefined`.
        expect(JSON.parse(JSON.stringify(there.messages))).toStrictEqual(there.messages)
        convertMessages(there.messages, from, { format: to })
      }),
      runs,
    )
  })

  test('are read from a file, or the error names the place', () => {
    fc.assert(
      fc.property(
        messages,
        fc.constantFrom('messages', 'contents', 'input', 'history', ''),
        (history, field) => {
          const text = JSON.stringify(field === '' ? history : { [field]: history })
          try {
            readTranscript(text, { name: 'f.json' })
          } catch (error) {
            expect(error).toBeInstanceOf(TrimtabError)
            expect((error as Error).message).toMatch(/^f\.json(?:, (?:line|entry) \d+)?: /)
          }
        },
      ),
      { numRuns: 4 * runs.numRuns },
    )
  })
})

describe('values that JSON cannot represent', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const history = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'x', input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'x', output: { type: 'json', value: cyclic } },
      ],
    },
  ]

  test.each(['openai-chat', 'openai-responses', 'anthropic', 'langchain'] as const)(
    'cause an error that names the message for %s',
    (to) => {
      const convert = (): unknown => convertMessages(history, to, { format: 'ai-sdk' })
      expect(convert).toThrow(expect.objectContaining({ code: 'unreadable_message', index: 2 }))
    },
  )

  test.each(['ai-sdk-ui', 'gemini'] as const)('cause no error for %s', (to) => {
    expect(() => convertMessages(history, to, { format: 'ai-sdk' })).not.toThrow()
  })
})

test('messages of AI SDK 4 and in snake_case convert like their current shapes', () => {
  for (const name of ['ai-sdk-4.json', 'ai-sdk-4-ui.json', 'gemini-snake-case.json']) {
    const { text } = messageFiles().find((file) => file.name === name) ?? { text: '' }
    const { format, messages } = readTranscript(text)
    const file = JSON.parse(text) as { contents: object[] } | object[]
    const raw = Array.isArray(file) ? file : file.contents
    expect(convertMessages(raw, 'anthropic', { format })).toEqual(
      convertMessages(messages, 'anthropic', { format }),
    )
  }
})
