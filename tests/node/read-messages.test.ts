import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Format, TrimtabError } from 'trimtab'
import { describe, expect, test, vi } from 'vitest'
import { readMessages } from '../../js/dist/history/read-messages.js'
import type { Call, Turn } from './conversation.js'
import { conversation } from './conversation.js'
import { FORMATS, type Message, write } from './write.js'

interface Said {
  kind: string
  text: string
  tool?: string
}

/** Kind, text and tool of each block, by message. */
function said(messages: readonly object[], format?: Format): Said[][] {
  const history = readMessages(messages, format === undefined ? {} : { format })
  return history.messages.map(({ blocks }) =>
    blocks.map((block) => ({
      kind: block.kind,
      text: history.textOf(block),
      ...(block.tool === null ? {} : { tool: block.tool }),
    })),
  )
}

const call = (fields: Partial<Call>): Call => ({
  tool: 'read_file',
  path: 1,
  result: 'one\ntwo',
  parts: false,
  images: 0,
  ephemeral: false,
  ...fields,
})
const TURNS: Turn[] = [
  {
    prompt: false,
    text: 'I look',
    reasoning: true,
    calls: [call({ lines: { offset: 3, limit: 2 } }), call({ tool: 'bash', path: 2, result: 'ok' })],
  },
  { prompt: false, text: 'done', reasoning: false, calls: [] },
]

describe('readMessages of one conversation', () => {
  test.each(FORMATS)('reads the same from %s', (format) => {
    const history = readMessages(write(TURNS, format), { format })
    expect(history.format).toBe(format)
    const calls = history.blocks().filter(({ kind }) => kind === 'tool-call')
    expect(calls.map(({ tool, origin }) => [tool, origin])).toEqual([
      ['read_file', 'read'],
      ['bash', 'shell'],
    ])
    expect(calls.map((each) => history.argumentsOf(each))).toEqual([
      { path: 'src/file1.ts', offset: 3, limit: 2 },
      { path: 'src/file2.ts' },
    ])
    expect(calls[0]?.files).toEqual([{ path: 'src/file1.ts', startLine: 3, endLine: 4 }])
    const results = calls.map((each) => history.resultOf(each))
    expect(results.map((each) => each && history.textOf(each))).toEqual(['one\ntwo', 'ok'])
    expect(results.map((each) => each && history.callOf(each))).toEqual(calls)
    const texts = history.blocks().filter(({ kind }) => kind === 'text')
    expect(history.textOf(texts[0] as (typeof texts)[0])).toBe('start')
    expect(history.messages[0]).toMatchObject({ role: 'user', step: 0, endsTurn: true })
  })
})

const file: Said = { kind: 'file', text: '' }
const unknown: Said = { kind: 'unknown', text: '' }

/** Blocks of each message in the fixtures, according to the providers' references. */
const FIXTURES: [name: string, list: (json: never) => Message[], expected: Said[][]][] = [
  [
    'openai-responses',
    (json: { input: Message[] }) => json.input,
    [
      [text('Which kiln is hot? Here is a photo.'), file],
      [reasoning('I read both logs.')],
      [called('read_file', '{"path":"logs/north.log"}')],
      [called('read_file', '{"path":"logs/south.log"}')],
      [result('read_file', 'south 40 C')],
      [result('read_file', 'north 1240 C')],
      [unknown],
      [called('apply_patch', '*** Begin Patch\n*** Update File: notes.md\n*** End Patch')],
      [result('apply_patch', '')],
      [called('shell', '{"commands":["cat notes.md"]}')],
      [result('shell', 'hot: north')],
      [text('North is hot.')],
    ],
  ],
  [
    'gemini',
    (json: { contents: Message[] }) => json.contents,
    [
      [text('Which kiln is hot? Here is a photo.'), file],
      [
        reasoning('I read both logs.'),
        reasoning(''),
        called('read_file', '{"path":"logs/north.log"}'),
        called('read_file', '{"path":"logs/south.log"}'),
        unknown,
      ],
      [result('read_file', 'north 1240 C'), result('read_file', 'no such file')],
      [unknown, text('North is hot.')],
    ],
  ],
  [
    'langchain',
    (json: Message[]) => json,
    [
      [text('You look after the kilns.')],
      [text('Which kiln is hot? Here is a photo.'), file],
      [
        reasoning('I read both logs.'),
        unknown,
        called('read_file', '{"path":"logs/north.log"}'),
        called('measure', '{}'),
      ],
      [result('measure', '40 C')],
      [result('read_file', 'no such file')],
      [text('North is hot.')],
    ],
  ],
  [
    'ai-sdk',
    (json: { messages: Message[] }) => json.messages,
    [
      [text('Which kiln is hot? Here is a photo.'), file],
      [
        reasoning('I read both logs.'),
        text('I read.'),
        called('read_file', '{"path":"logs/north.log"}'),
        called('measure', '{}'),
      ],
      [result('measure', '{"north":1240,"south":40}'), result('read_file', 'no such file')],
      [called('web_search', '{"query":"kiln"}'), result('web_search', '[]'), text('North is hot.')],
    ],
  ],
  [
    'ai-sdk-ui',
    (json: Message[]) => json,
    [
      [text('Which kiln is hot? Here is a photo.'), file],
      [
        reasoning('I read both logs.'),
        called('read_file', '{"path":"logs/north.log"}'),
        result('read_file', 'no such file'),
        called('measure', '{}'),
        result('measure', '{"north":1240,"south":40}'),
        unknown,
        text('North is hot.'),
      ],
    ],
  ],
]

function text(said: string): Said {
  return { kind: 'text', text: said }
}
function reasoning(said: string): Said {
  return { kind: 'reasoning', text: said }
}
function called(tool: string, said: string): Said {
  return { kind: 'tool-call', text: said, tool }
}
function result(tool: string, said: string): Said {
  return { kind: 'tool-result', text: said, tool }
}

describe('readMessages of fixtures', () => {
  test.each(FIXTURES)('reads the expected blocks of %s', (name, list, expected) => {
    const path = new URL(`../fixtures/messages/${name}.json`, import.meta.url)
    expect(said(list(JSON.parse(readFileSync(path, 'utf8')) as never))).toEqual(expected)
  })
})

describe('readMessages of text', () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'image_url', image_url: { url: 'x' } },
    { type: 'text', text: 'b' },
  ]
  const chat = (message: object) => said([message], 'openai-chat')[0]
  const custom = { id: 'c', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin' } }
  const cases: [string, object, Said[]][] = [
    [
      'parts of a result are lines',
      { role: 'tool', tool_call_id: 'x', content },
      [{ kind: 'tool-result', text: 'a\nb', tool: '' }],
    ],
    [
      'a refusal is text',
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
      [{ kind: 'text', text: 'no' }],
    ],
    [
      'reasoning beside content',
      { role: 'assistant', content: 'b', reasoning_content: 'a' },
      [
        { kind: 'reasoning', text: 'a' },
        { kind: 'text', text: 'b' },
      ],
    ],
    [
      'free text of a custom tool',
      { role: 'assistant', content: null, tool_calls: [custom] },
      [{ kind: 'tool-call', text: '*** Begin', tool: 'apply_patch' }],
    ],
    ['nothing', { role: 'assistant', content: null }, []],
  ]
  test.each(cases)('reads the expected blocks: %s', (_, message, expected) => {
    expect(chat(message)).toEqual(expected)
  })
  test('keeps arguments that are not an object as text', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'ls', arguments: '{"path":' } }]
    const history = readMessages([{ role: 'assistant', content: null, tool_calls }])
    expect(history.blocks().map((block) => history.argumentsOf(block))).toEqual(['{"path":'])
  })
  test('replaces a lone surrogate', () => {
    expect(chat({ role: 'user', content: 'a\ud800' })).toEqual([{ kind: 'text', text: 'a\ufffd' }])
  })
})

test('readMessages returns the texts of its own messages after another history was read', () => {
  fc.assert(
    fc.property(
      conversation,
      conversation,
      fc.constantFrom(...FORMATS),
      fc.nat(),
      (one, other, format, at) => {
        const messages = write(one, format)
        const expected = said(structuredClone(messages), format)
        const history = readMessages(messages, { format })
        const branch = [...messages.slice(0, at % messages.length), ...write(other, format)]
        readMessages(branch, { format })
        const texts = history.messages.map(({ blocks }) => blocks.map((block) => history.textOf(block)))
        expect(texts).toEqual(expected.map((blocks) => blocks.map((block) => block.text)))
      },
    ),
    { numRuns: 60 },
  )
})

test('parallel calls that share an id are answered in order, also if each is an item of its own', () => {
  const asked = (path: string) => ({
    type: 'function_call',
    call_id: 'a',
    name: 'read_file',
    arguments: JSON.stringify({ path }),
  })
  const answered = (output: string) => ({ type: 'function_call_output', call_id: 'a', output })
  const items = [{ role: 'user', content: 'Go.' }, asked('1'), asked('2'), answered('one'), answered('two')]
  const history = readMessages(items, { format: 'openai-responses' })
  const results = history.blocks().filter(({ kind }) => kind === 'tool-result')
  const pairs = results.map((block) => [history.callOf(block)?.message, history.textOf(block)])
  expect(pairs).toEqual([
    [1, 'one'],
    [2, 'two'],
  ])
})

test('readMessages refuses invalid messages and options', () => {
  expect(() => readMessages([7 as never])).toThrow(TrimtabError)
  expect(() => readMessages([], { from: 1 } as never)).toThrow(/from/)
})

describe('a long text', () => {
  const read = (content: string) => {
    const history = readMessages([{ role: 'user', content }], { format: 'openai-chat' })
    return history.textOf({ message: 0, block: 0 })
  }

  test('is passed to the engine in pieces: a browser copies what `encodeInto` is given', () => {
    const encodeInto = vi.spyOn(TextEncoder.prototype, 'encodeInto')
    const text = 'x'.repeat(5_000_000)
    read(text)
    const given = encodeInto.mock.calls.reduce((sum, [piece = '']) => sum + piece.length, 0)
    encodeInto.mockRestore()
    // Once for its facts, and once for its text.
    expect(given).toBeGreaterThanOrEqual(text.length)
    expect(given).toBeLessThanOrEqual(2 * text.length)
  })

  test.each(['', 'a', 'ab', 'abc'])('keeps characters at the ends of pieces, after %j', (start) => {
    for (const sign of ['😀', 'é', '語', 'a😀'])
      expect(read(start + sign.repeat(200_000))).toBe(start + sign.repeat(200_000))
    expect(read(start + '\ud83d'.repeat(300_000))).toBe(start + '\ufffd'.repeat(300_000))
  })
})
