import type { Format } from 'trimtab'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../node/write.js'
import { convert, go, image, type Json, lostIn, png, result, use } from './converting.js'

describe('conversion of files', () => {
  const pdf = 'JVBERi0xLjQ='
  const sources: [Format, Json[], Json[]][] = [
    [
      'openai-chat',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }],
      [
        {
          role: 'user',
          content: [
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
          ],
        },
      ],
    ],
    [
      'openai-responses',
      [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url: image }] }],
      [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
          ],
        },
      ],
    ],
    [
      'anthropic',
      [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }],
        },
      ],
      [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: pdf },
            },
          ],
        },
      ],
    ],
    [
      'ai-sdk',
      [
        {
          role: 'user',
          content: [
            { type: 'image', image: Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [{ type: 'file', data: pdf, mediaType: 'application/pdf', filename: 'a.pdf' }],
        },
      ],
    ],
    [
      'ai-sdk-ui',
      [{ id: '1', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: image }] }],
      [
        {
          id: '1',
          role: 'user',
          parts: [
            {
              type: 'file',
              mediaType: 'application/pdf',
              url: `data:application/pdf;base64,${pdf}`,
              filename: 'a.pdf',
            },
          ],
        },
      ],
    ],
    [
      'gemini',
      [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }],
      [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'application/pdf', data: pdf, displayName: 'a.pdf' } }],
        },
      ],
    ],
    [
      'langchain',
      [
        {
          type: 'human',
          content: [{ type: 'image', source_type: 'base64', mime_type: 'image/png', data: png }],
        },
      ],
      [
        {
          type: 'human',
          content: [
            { type: 'file', mimeType: 'application/pdf', data: pdf, metadata: { filename: 'a.pdf' } },
          ],
        },
      ],
    ],
  ]

  test.each(sources)('of %s: keeps an image and a PDF in every format', (from, picture, document) => {
    for (const to of FORMATS.filter((format) => format !== from)) {
      for (const [history, bytes] of [
        [picture, png],
        [document, pdf],
      ] as const) {
        const there = convert(from, to, history)
        // Of the PDF.
        const names = to === 'gemini' && bytes === pdf ? ['name of a file'] : []
        expect([to, lostIn(there)]).toEqual([to, names])
        expect(JSON.stringify(there.messages)).toContain(bytes)
        const back = convert(to, from, there.messages)
        expect(JSON.stringify(back.messages)).toContain(bytes)
      }
    }
  })

  test.each([
    ['a file without a name', { type: 'file', mimeType: 'application/pdf', data: pdf }, pdf],
    ['a text', { type: 'text-plain', mimeType: 'text/plain', text: 'from a file' }, 'from a file'],
  ])('of LangChain 1: keeps %s', (_, part, kept) => {
    const { lost, messages } = convert('langchain', 'anthropic', [{ type: 'human', content: [part] }])
    expect(lost).toEqual([])
    expect(JSON.stringify(messages)).toContain(kept)
  })

  test('of the user that the target cannot express leave a text in their place', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const history = [
      { role: 'user', content: [audio] },
      { role: 'assistant', content: 'I hear rain.' },
    ]
    const { lost, messages } = convert('openai-chat', 'anthropic', history)
    expect(messages[0]).toEqual({ role: 'user', content: '[left out: file of type audio/wav]' })
    expect(lost).toEqual([{ index: 0, what: 'file of type audio/wav' }])
  })

  const files: Json[] = [
    { type: 'file', data: png, mediaType: 'image/png' },
    { type: 'file', data: new URL('https://example.org/a.png'), mediaType: 'image/png' },
    { type: 'file', data: pdf, mediaType: 'application/pdf' },
    { type: 'file', data: new URL('https://example.org/a.pdf'), mediaType: 'application/pdf' },
    { type: 'file', data: 'YSB0ZXh0', mediaType: 'text/plain' },
    { type: 'file', data: 'AAAA', mediaType: 'audio/wav' },
  ]

  test.each(files)('keep their name, or it is lost: %j', (file) => {
    for (const history of [
      [{ role: 'user', content: [{ ...file, filename: 'the name' }] }],
      [
        go,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'see', input: {} }] },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'see',
              output: {
                type: 'content',
                value: [{ ...file, filename: 'the name' }],
              },
            },
          ],
        },
      ],
    ])
      for (const to of FORMATS.filter((format) => format !== 'ai-sdk')) {
        const there = convert('ai-sdk', to, history)
        const isKept = JSON.stringify(there.messages).includes('the name')
        const isLost = lostIn(there).some((what) => /^(name of a file$|file of type )/.test(what))
        expect([to, isKept, isLost]).toEqual([to, isKept, !isKept])
      }
  })

  test.each([
    ['anthropic', (title: string): Json => ({ type: 'document', title })],
    ['langchain', (title: string): Json => ({ type: 'document', title })],
  ] as const)('of %s: a title is kept by the AI SDK, in a result too', (from, titled) => {
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf }
    const document = { ...titled('the name'), source }
    const history =
      from === 'anthropic'
        ? [
            go,
            { role: 'assistant', content: [use('a')] },
            { role: 'user', content: [result('a', [document])] },
          ]
        : [
            { type: 'human', content: 'go' },
            { type: 'ai', content: '', tool_calls: [{ id: 'a', name: 'read', args: {} }] },
            { type: 'tool', tool_call_id: 'a', content: [document] },
          ]
    const { lost, messages } = convert(from, 'ai-sdk', history)
    const value = [{ type: 'file-data', data: pdf, mediaType: 'application/pdf', filename: 'the name' }]
    expect(lost).toEqual([])
    expect(messages.at(-1)).toMatchObject({ content: [{ output: { type: 'content', value } }] })
  })

  const stored = { type: 'file', file_id: 'file_1' }
  const unread: [string, Format, Json, string][] = [
    ["Anthropic's stored image", 'anthropic', { type: 'image', source: stored }, 'file of type image/*'],
    ["Anthropic's stored document", 'anthropic', { type: 'document', source: stored }, 'file'],
    ['an upload to a container', 'anthropic', { type: 'container_upload', file_id: 'file_1' }, 'file'],
    ['a new block', 'anthropic', { type: 'hologram', of: 'x' }, 'block of type "hologram"'],
    ['a new part of Chat', 'openai-chat', { type: 'video_url' }, 'part of type "video_url"'],
    ['a new part of Responses', 'openai-responses', { type: 'input_video' }, 'part of type "input_video"'],
    [
      'a reference of the AI SDK',
      'ai-sdk',
      { type: 'file', data: { type: 'reference', reference: { openai: 'x' } }, mediaType: 'image/png' },
      'part of type "file"',
    ],
  ]

  test.each(unread)('a message of the user with nothing but %s keeps its place', (_, from, part, what) => {
    const history = [
      { role: 'user', content: [part] },
      from === 'openai-responses'
        ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I see.' }] }
        : { role: 'assistant', content: 'I see.' },
    ]
    for (const to of FORMATS.filter((format) => format !== from)) {
      const { lost, messages } = convert(from, to, history)
      expect([to, messages.length]).toEqual([to, 2])
      expect(JSON.stringify(messages[0])).toContain(JSON.stringify(`[left out: ${what}]`).slice(1, -1))
      expect(lost).toContainEqual({ index: 0, what })
    }
  })

  test('a message of the user without content is left out', () => {
    const history = [{ role: 'user', content: [], novel: { a: 1 } }, go]
    expect(convert('anthropic', 'openai-chat', history).messages).toEqual([go])
  })

  test('a blank text does not keep a message', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
    const history = [{ role: 'user', content: [{ type: 'text', text: ' ' }, audio] }]
    const { messages } = convert('openai-chat', 'anthropic', history)
    expect(messages).toEqual([{ role: 'user', content: '[left out: file of type audio/wav]' }])
  })

  test("keeps Anthropic's stored files of LangChain", () => {
    const content = [
      { type: 'image', source: stored },
      { type: 'document', source: stored },
    ]
    const there = convert('langchain', 'anthropic', [{ type: 'human', content }])
    expect(there).toEqual({ messages: [{ role: 'user', content }], lost: [] })
  })

  test('keeps the URL of an image', () => {
    const url = 'https://example.org/kiln.png'
    const history = [{ role: 'user', content: [{ type: 'image', image: new URL(url) }] }]
    for (const to of FORMATS.filter((format) => format !== 'ai-sdk')) {
      const there = convert('ai-sdk', to, history)
      expect([to, there.lost]).toEqual([to, []])
      expect(JSON.stringify(there.messages)).toContain(url)
    }
  })

  test('moves or reports an image in a result if the target has no place for it', () => {
    const history = [
      go,
      { role: 'assistant', content: [use('a', 'shot')] },
      {
        role: 'user',
        content: [
          result('a', [
            { type: 'text', text: 'seen' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ]),
        ],
      },
    ]
    const losses: Partial<Record<Format, string[]>> = {
      'openai-chat': ['place of an image in a result (now in the user message behind it)'],
      'ai-sdk-ui': ['file of type image/png in a result'],
    }
    for (const to of FORMATS.filter((format) => format !== 'anthropic')) {
      const there = convert('anthropic', to, history)
      expect([to, lostIn(there)]).toEqual([to, losses[to] ?? []])
      expect(JSON.stringify(there.messages).includes(png)).toBe(to !== 'ai-sdk-ui')
    }
  })

  test.each([
    ['anthropic', 'audio/wav'],
    ['openai-responses', 'audio/wav'],
    ['openai-chat', 'video/mp4'],
  ] as const)('reports a file that %s does not accept', (to, mediaType) => {
    const history = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Listen.' },
          { type: 'file', data: 'AAAA', mediaType },
        ],
      },
    ]
    expect(lostIn(convert('ai-sdk', to, history))).toEqual([`file of type ${mediaType}`])
  })
})
