import type { Format } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'
import { convert, go, type Json, lostIn } from './converting.js'

function reasoning(provider: string, key: string): Json {
  return { type: 'reasoning', text: 'hm', providerOptions: { [provider]: { [key]: 's' } } }
}

describe('conversion of reasoning', () => {
  const answer = (options: Json): Json => ({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm', ...options },
      { type: 'text', text: 'Yes.' },
    ],
  })
  const signatures: [string, Json, Format[]][] = [
    ['Anthropic', { providerOptions: { anthropic: { signature: 's' } } }, ['anthropic', 'langchain']],
    [
      'Anthropic, redacted',
      { providerOptions: { anthropic: { redactedData: 'd' } } },
      ['anthropic', 'langchain'],
    ],
    ['Gemini', { providerOptions: { google: { thoughtSignature: 's' } } }, ['gemini']],
    [
      'OpenAI',
      { providerOptions: { openai: { itemId: 'r', reasoningEncryptedContent: 'e' } } },
      ['openai-responses'],
    ],
    ['no provider', {}, ['gemini']],
  ]

  test.each(signatures)(
    'signed by %s: keeps it where the signature is accepted',
    (_name, options, takers) => {
      const history = [go, answer(options)]
      for (const to of FORMATS.filter((format) => format !== 'ai-sdk')) {
        const there = convert('ai-sdk', to, history)
        const isTaken = to === 'ai-sdk-ui' || takers.includes(to)
        expect([to, lostIn(there)]).toEqual([to, isTaken ? [] : ['reasoning']])
        const back = convert(to, 'ai-sdk', there.messages).messages[1]
        const plain = { role: 'assistant', content: 'Yes.' }
        // Redacted reasoning has no text.
        const expected = JSON.parse(JSON.stringify(isTaken ? answer(options) : plain)) as Json
        if (
          isTaken &&
          to !== 'ai-sdk-ui' &&
          'redactedData' in (((options.providerOptions as Json)?.anthropic as Json) ?? {})
        )
          (expected.content as Json[])[0] = { ...(expected.content as Json[])[0], text: '' }
        expect(back).toEqual(expected)
      }
    },
  )

  test('drops reasoning at the end of an answer where that is refused', () => {
    const history = [
      go,
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'a' }, { ...reasoning('anthropic', 'signature') }],
      },
    ]
    expect(lostIn(convert('ai-sdk', 'anthropic', history))).toEqual(['reasoning'])
    const other = [
      go,
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, { ...reasoning('openai', 'itemId') }] },
    ]
    expect(lostIn(convert('ai-sdk', 'openai-responses', other))).toEqual(['reasoning'])
  })

  test('keeps summaries of one reasoning item in one item', () => {
    const item = {
      type: 'reasoning',
      id: 'r',
      summary: [
        { type: 'summary_text', text: 'a' },
        { type: 'summary_text', text: 'b' },
      ],
      encrypted_content: 'e',
    }
    const parts = ['a', 'b'].map((text) => ({
      type: 'reasoning',
      text,
      providerOptions: { openai: { itemId: 'r', reasoningEncryptedContent: 'e' } },
    }))
    const history = [go, { role: 'assistant', content: [...parts, { type: 'text', text: 'Yes.' }] }]
    expect(convert('ai-sdk', 'openai-responses', history).messages[1]).toEqual(item)
  })

  test("keeps Gemini's signature of a call in the AI SDK's formats", () => {
    const history = [
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [{ functionCall: { id: 'a', name: 'ls', args: {} }, thoughtSignature: 's' }],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'ls', response: { output: 'x' } } }] },
    ]
    for (const to of ['ai-sdk', 'ai-sdk-ui'] as const) {
      const there = convert('gemini', to, history)
      expect(convert(to, 'gemini', there.messages)).toEqual({ messages: history, lost: [] })
    }
    expect(lostIn(convert('gemini', 'anthropic', history))).toEqual(['signature of a thought'])
  })

  const thought = (id: string): Json => ({
    type: 'reasoning',
    id,
    summary: [{ type: 'summary_text', text: `thought ${id}` }],
    encrypted_content: id,
  })
  const found: Json = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'found', annotations: [] }],
  }
  const search: Json = {
    type: 'web_search_call',
    id: 'ws',
    status: 'completed',
    action: { type: 'search', query: 'q' },
  }

  test.each(['ai-sdk', 'ai-sdk-ui'] as const)('%s: reasoning goes with the item that it led to', (to) => {
    const history = [go, thought('a'), thought('b'), search, thought('c'), found, thought('d'), search]
    const { lost, messages } = convert('openai-responses', to, history)
    expect(JSON.stringify(messages).match(/thought ./g)).toEqual(['thought c'])
    expect(lost.filter(({ what }) => what === 'reasoning').map(({ index }) => index)).toEqual([1, 2, 6])
  })

  test("a lost call of the provider's own tool takes its reasoning along", () => {
    const served: Json = {
      type: 'tool-call',
      toolCallId: 'ws',
      toolName: 'web_search',
      input: {},
      providerExecuted: true,
    }
    const [first, second] = ['a', 'b'].map((itemId) => ({
      type: 'reasoning',
      text: itemId,
      providerOptions: { openai: { itemId, reasoningEncryptedContent: itemId } },
    }))
    const history = [
      go,
      { role: 'assistant', content: [first, served, second, { type: 'text', text: 'found' }] },
    ]
    const { lost, messages } = convert('ai-sdk', 'openai-responses', history)
    expect(messages.map((item) => (item as Json).id ?? (item as Json).role)).toEqual([
      'user',
      'b',
      'assistant',
    ])
    expect(lost.map(({ what }) => what)).toEqual(['server-side tool "web_search"', 'reasoning'])
  })

  test('is reported at its own item', () => {
    const call = (id: string): Json => ({ type: 'function_call', call_id: id, name: 'ls', arguments: '{}' })
    const output = (id: string): Json => ({ type: 'function_call_output', call_id: id, output: 'x' })
    const history = [go, thought('a'), call('c'), thought('b'), call('c/d'), output('c'), output('c/d')]
    const { lost } = convert('openai-responses', 'anthropic', history)
    expect(lost).toEqual([
      { index: 1, what: 'reasoning' },
      { index: 3, what: 'reasoning' },
      { index: 4, what: 'id of a call (now another one)' },
    ])
  })
})
