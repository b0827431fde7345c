// Messages written for the AI SDK, judged by its own schemas.
import { convertToModelMessages, modelMessageSchema, type UIMessage, validateUIMessages } from 'ai'
import { modelMessageSchema as modelMessageSchema6 } from 'ai-6'
import fc from 'fast-check'
import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { convert, go, image, type Json, png } from './converting.js'
import { historyOf, SOURCES } from './provider-items.js'

/** What the schemas of versions 6 and 7 refuse. */
const refused = (messages: readonly object[]): object[] =>
  messages.filter((message) =>
    [modelMessageSchema, modelMessageSchema6].some((schema) => !schema.safeParse(message).success),
  )

const few = { numRuns: Math.ceil(runs.numRuns / 5) }

describe.each(Object.entries(SOURCES))('messages converted from %s', (name, source) => {
  const from = name as Format

  const middle = from === 'ai-sdk' ? 'ai-sdk-ui' : from

  test('are ModelMessages', () => {
    fc.assert(
      fc.property(historyOf(source), (history) => {
        const source = convertMessages(history, middle, { format: from }).messages
        const { messages } = convertMessages(source, 'ai-sdk', { format: middle })
        expect(refused(messages)).toEqual([])
      }),
      few,
    )
  })

  test('are UIMessages, which are converted to ModelMessages', async () => {
    await fc.assert(
      fc.asyncProperty(historyOf(source), async (history) => {
        const converted = convertMessages(history, 'ai-sdk-ui', { format: from }).messages
        const messages = await validateUIMessages({ messages: converted as UIMessage[] })
        const own = await convertToModelMessages(messages)
        const { lost } = convertMessages(own, 'ai-sdk-ui', { format: 'ai-sdk' })
        expect(lost.filter(({ what }) => what.includes('part of type'))).toEqual([])
        expect(refused(convertMessages(converted, 'ai-sdk', { format: 'ai-sdk-ui' }).messages)).toEqual([])
      }),
      few,
    )
  })
})

describe('an image', () => {
  const written = (from: Format, history: object[], at = 1): unknown => {
    const { messages } = convert(from, 'ai-sdk', history)
    expect(refused(messages)).toEqual([])
    return (messages[at] as Json).content
  }
  const file = { type: 'file', data: png, mediaType: 'image/png' }

  test('of the model is a file', () => {
    const drawn = { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: png } }] }
    expect(written('gemini', [{ role: 'user', parts: [{ text: 'draw' }] }, drawn])).toEqual([file])
    const ui = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'draw' }] },
      { id: '2', role: 'assistant', parts: [{ type: 'file', mediaType: 'image/png', url: image }] },
    ]
    expect(written('ai-sdk-ui', ui)).toEqual([file])
  })

  test('of the user is a file where it has a name', () => {
    const part = { type: 'file', mediaType: 'image/png', url: image }
    const asked = (fields: Json) => [{ id: '1', role: 'user', parts: [{ ...part, ...fields }] }]
    expect(written('ai-sdk-ui', asked({}), 0)).toEqual([
      { type: 'image', image: png, mediaType: 'image/png' },
    ])
    expect(written('ai-sdk-ui', asked({ filename: 'a.png' }), 0)).toEqual([{ ...file, filename: 'a.png' }])
  })

  test('of a result has the type that all versions take', () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
    const history = [
      go,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'see', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [picture] }] },
    ]
    const value = [{ type: 'image-data', data: png, mediaType: 'image/png' }]
    expect(written('anthropic', history, 2)).toMatchObject([{ output: { type: 'content', value } }])
  })
})

test.each([
  [{ type: 'data', data: png }, image],
  [{ type: 'data', data: Uint8Array.from(atob(png), (char) => char.charCodeAt(0)) }, image],
  [{ type: 'url', url: image }, image],
  [{ type: 'url', url: new URL('https://example.org/a.png') }, 'https://example.org/a.png'],
])('a file of version 7 is read: %j', (data, url) => {
  const file = { type: 'file', data, mediaType: 'image/png' }
  const output = { type: 'content', value: [file] }
  const history = [
    { role: 'user', content: [file] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'see', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'see', output }] },
  ]
  const { lost, messages } = convert('ai-sdk', 'openai-responses', history)
  expect(lost).toEqual([])
  const part = { type: 'input_image', image_url: url, detail: 'auto' }
  expect(messages[0]).toMatchObject({ content: [part] })
  expect(messages[2]).toMatchObject({ output: [part] })
})

test('a text file of version 7 is read', () => {
  const file = { type: 'file', data: { type: 'text', text: 'written' }, mediaType: 'text/markdown' }
  const { messages } = convert('ai-sdk', 'anthropic', [{ role: 'user', content: [file] }])
  expect(messages[0]).toMatchObject({ content: [{ type: 'document', source: { data: 'written' } }] })
})
