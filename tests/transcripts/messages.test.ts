import fc from 'fast-check'
import { type Format, inspect } from 'trimtab'
import { readTranscript } from 'trimtab/transcripts'
import { describe, expect, test } from 'vitest'
import { conversation, type Turn } from '../node/conversation.js'
import { runs } from '../node/random.js'
import { FORMATS, write } from '../node/write.js'
import { messageFiles } from './files.js'

/** A call makes the format certain; a list of plain texts fits several formats. */
const call = { tool: 'Read', path: 1, result: 'text', parts: false, images: 0, ephemeral: false }
const certain: Turn = { prompt: false, text: 'I read.', reasoning: false, calls: [call] }

describe.each(FORMATS)('readTranscript with messages of %s', (format) => {
  const check = (law: (messages: object[]) => void): void =>
    fc.assert(
      fc.property(conversation, (turns) => law(write([...turns, certain], format))),
      { numRuns: Math.ceil(runs.numRuns / 10) },
    )

  test('reads a list unchanged and detects the same format as the engine', () => {
    check((messages) => {
      const read = readTranscript(JSON.stringify(messages))
      expect(read).toEqual({ kind: `${format}-messages`, format, messages, skipped: [] })
      expect(inspect(read.messages).format).toBe(format)
    })
  })

  test.each(['messages', 'contents', 'input', 'history'])(
    'reads the list from the field %s of an object',
    (field) => {
      const messages = write([certain], format)
      // A trajectory also has its calls in `history`.
      if (field === 'history' && format !== 'gemini') return
      expect(readTranscript(JSON.stringify({ model: 'any', [field]: messages }))).toMatchObject({
        format,
        messages,
      })
    },
  )

  test('reads one message per line', () => {
    const messages = write([certain], format)
    const { kind, skipped } = readTranscript(messages.map((message) => JSON.stringify(message)).join('\n'))
    expect({ kind, skipped }).toEqual({ kind: `${format}-messages`, skipped: [] })
  })

  test('refuses messages of another format among them and names both formats', () => {
    for (const other of FORMATS.filter((each) => each !== format)) {
      const messages = [...write([certain], format).slice(-2), ...write([certain], other).slice(-2)]
      const read = (): unknown => readTranscript(JSON.stringify(messages), { name: 'f.json' })
      expect(read, other).toThrow(/^f\.json, entry \d: a message of .* among messages of .* \(entry \d\)$/)
    }
  })
})

describe('the system prompt of a request body', () => {
  const user = { role: 'user', content: 'Hi' }
  const cases: [string, object, { format: Format; system: string }][] = [
    [
      'Responses',
      { instructions: 'Be brief.', input: [user] },
      { format: 'openai-responses', system: 'Be brief.' },
    ],
    [
      'Anthropic',
      { system: [{ type: 'text', text: 'Be brief.' }], messages: [user] },
      { format: 'anthropic', system: 'Be brief.' },
    ],
    [
      'Gemini',
      { systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: [{ parts: [{ text: 'Hi' }] }] },
      { format: 'gemini', system: 'Be brief.' },
    ],
    [
      "Gemini's SDK",
      { config: { systemInstruction: 'Be brief.' }, contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      { format: 'gemini', system: 'Be brief.' },
    ],
    [
      'Gemini, as a content',
      {
        contents: [
          { role: 'system', parts: [{ text: 'Be brief.' }] },
          { role: 'user', parts: [{ text: 'Hi' }] },
        ],
      },
      { format: 'gemini', system: 'Be brief.' },
    ],
    [
      'AI SDK',
      {
        system: 'Be brief.',
        messages: [user, { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }],
      },
      { format: 'ai-sdk', system: 'Be brief.' },
    ],
  ]

  test.each(cases)('is read: %s', (_name, file, expected) => {
    expect(readTranscript(JSON.stringify(file))).toMatchObject(expected)
  })
})

describe('messages in earlier shapes', () => {
  const read = (name: string): object => {
    const file = messageFiles().find((each) => each.name === name)
    return readTranscript(file?.text ?? '')
  }

  test("Gemini's snake_case is read like its camelCase", () => {
    expect(read('gemini-snake-case.json')).toEqual(read('gemini.json'))
  })

  test('field names in tool arguments and results stay unchanged', () => {
    const args = { file_data: 1, parts: [{ function_call: {} }] }
    const contents = [
      { role: 'model', parts: [{ function_call: { name: 'x', args } }] },
      { role: 'user', parts: [{ function_response: { name: 'x', response: args } }] },
    ]
    expect(readTranscript(JSON.stringify(contents)).messages).toEqual([
      { role: 'model', parts: [{ functionCall: { name: 'x', args } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'x', response: args } }] },
    ])
  })

  test('core messages of AI SDK 4 are read in their current shape', () => {
    expect(read('ai-sdk-4.json')).toMatchObject({
      kind: 'ai-sdk-messages',
      skipped: [],
      messages: [
        { content: [{}, { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' }] },
        {
          content: [
            { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'b3BhcXVl' } } },
            { type: 'text', text: 'I read.' },
            { type: 'tool-call', toolCallId: 'a', toolName: 'read_file', input: { path: 'logs/north.log' } },
            { type: 'tool-call', toolCallId: 'b', toolName: 'measure', input: {} },
          ],
        },
        {
          content: [
            { toolCallId: 'b', output: { type: 'json', value: { north: 1240, south: 40 } } },
            { toolCallId: 'a', output: { type: 'error-text', value: 'no such file' } },
          ],
        },
        { role: 'assistant', content: 'North is hot.' },
      ],
    })
  })

  test('UI messages of AI SDK 4 are read, with and without parts', () => {
    expect(read('ai-sdk-4-ui.json')).toMatchObject({
      kind: 'ai-sdk-ui-messages',
      skipped: [],
      messages: [
        { parts: [{ type: 'text' }, { type: 'file', mediaType: 'image/png', filename: 'kiln.png' }] },
        {
          parts: [
            {
              type: 'tool-read_file',
              toolCallId: 'a',
              state: 'output-available',
              input: { path: 'logs/north.log' },
              output: 'north 1240 C',
            },
            { type: 'step-start' },
            { type: 'text', text: 'North is hot.' },
          ],
        },
        { parts: [{ type: 'text', text: 'And south?' }] },
        {
          parts: [
            { type: 'step-start' },
            { type: 'reasoning', text: 'I read the other log.' },
            { type: 'tool-measure', output: { south: 40 } },
            { type: 'step-start' },
            { type: 'text', text: 'It is cold.' },
          ],
        },
      ],
    })
  })
})

describe('entries that are not messages of the format', () => {
  const parts = [{ type: 'text', text: 'Hi' }]
  const cases: [string, object[], string][] = [
    [
      'a UIMessage of another role',
      [
        { role: 'user', parts },
        { role: 'data', parts },
      ],
      'unknown role "data"',
    ],
    ['a UIMessage without parts', [{ role: 'user', parts }, { role: 'user' }], 'no UIMessage (no "parts")'],
    [
      'a content without parts',
      [{ role: 'model', parts: [{ text: 'Hi' }] }, { role: 'user' }],
      'no Gemini content (no "parts")',
    ],
    [
      'a removed LangChain message',
      [
        { type: 'human', content: 'Hi' },
        { type: 'remove', id: 'x', content: '' },
      ],
      'no LangChain message',
    ],
    [
      'an item without type and role',
      [{ type: 'reasoning', summary: [] }, { status: 'completed' }],
      'no item of the Responses API',
    ],
  ]

  test.each(cases)('are skipped and counted: %s', (_name, messages, reason) => {
    const read = readTranscript(JSON.stringify(messages))
    expect(read.messages).toHaveLength(1)
    expect(read.skipped).toEqual([{ reason, count: 1, unit: 'entry', first: [2] }])
  })
})
