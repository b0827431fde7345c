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
})
