import type { Format } from 'trimtab'
import { convertMessages } from 'trimtab/formats'
import { estimateMessages, messageCounter } from 'trimtab/tokens'
import { describe, expect, test } from 'vitest'
import { imageSize } from '../../js/dist/tokens/image-size.js'
import { imageTokens } from '../../js/dist/tokens/image-tokens.js'

const base64 = (...parts: (string | number[])[]): string =>
  btoa(parts.map((part) => (typeof part === 'string' ? part : String.fromCharCode(...part))).join(''))
const big32 = (n: number): number[] => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
const big16 = (n: number): number[] => [n >> 8, n & 255]
const little16 = (n: number): number[] => [n & 255, n >> 8]
const little24 = (n: number): number[] => [n & 255, (n >> 8) & 255, n >> 16]

const png = (width: number, height: number): string =>
  base64('\x89PNG\r\n\x1a\n', big32(13), 'IHDR', big32(width), big32(height), [8, 6, 0, 0, 0])

const images: [string, string][] = [
  ['png', png(640, 480)],
  ['gif', base64('GIF89a', little16(640), little16(480), [0, 0, 0])],
  [
    'webp with extensions',
    base64('RIFF', big32(0), 'WEBPVP8X', big32(0), [0, 0, 0, 0], little24(639), little24(479)),
  ],
  [
    'webp without loss',
    base64('RIFF', big32(0), 'WEBPVP8L', big32(0), [0x2f], [0x7f, 0xc2, 0x77, 0], [0, 0, 0, 0, 0]),
  ],
  [
    'webp with loss',
    base64('RIFF', big32(0), 'WEBPVP8 ', big32(0), [0, 0, 0, 0x9d, 1, 0x2a], little16(640), little16(480)),
  ],
  [
    'jpeg',
    base64(
      '\xff\xd8\xff\xe0',
      big16(16),
      'JFIF\0'.padEnd(14, '\0'),
      '\xff\xc0',
      big16(17),
      [8],
      big16(480),
      big16(640),
      [3, 1],
    ),
  ],
  [
    'jpeg behind a preview',
    base64(
      '\xff\xd8\xff\xe1',
      big16(60_002),
      'x'.repeat(60_000),
      '\xff\xc2',
      big16(17),
      [8],
      big16(480),
      big16(640),
      [3],
    ),
  ],
]

test.each(images)('imageSize reads the size of a %s', (_, image) => {
  expect(imageSize(image)).toEqual({ width: 640, height: 480 })
})

test.each([
  ['nothing', ''],
  ['a text', btoa('no image at all, but a text of some length')],
  ['a cut header', png(640, 480).slice(0, 24)],
  ['no base64', '\u0000!!!'],
  ['no width', png(0, 480)],
  ['a jpeg without a frame', base64('\xff\xd8\xff\xe0', big16(4), 'xx', '\xff\xe0', big16(4), 'xxxxxxxx')],
])('imageSize finds no size, and imageTokens assumes the default: %s', (_, data) => {
  expect(imageSize(data)).toBeUndefined()
  expect(imageTokens(data, 'anthropic')).toBe(1600)
})

describe('imageTokens', () => {
  test.each([
    ['anthropic', 200, 200, 54],
    ['anthropic', 1000, 1000, 1334],
    ['anthropic', 8000, 8000, 1600],
    ['openai-chat', 1024, 1024, 765],
    ['openai-responses', 2048, 4096, 1105],
    ['openai-chat', 512, 512, 255],
    ['gemini', 384, 384, 258],
    ['gemini', 1536, 768, 516],
  ] as const)('follows the published rule of %s for %i x %i', (format, width, height, tokens) => {
    expect(imageTokens(png(width, height), format)).toBe(tokens)
  })

  test('is included in the estimate of a message', () => {
    const source = { type: 'base64', media_type: 'image/png', data: png(200, 200) }
    const [estimate] = estimateMessages([{ role: 'user', content: [{ type: 'image', source }] }], {
      format: 'anthropic',
    })
    expect(estimate?.prompts).toBe(4 + 54)
  })
})

describe('the detail in which OpenAI is to show an image', () => {
  const url = `data:image/png;base64,${png(2048, 4096)}`
  const chat = (detail: unknown) => [
    { role: 'user', content: [{ type: 'image_url', image_url: { url, detail } }] },
  ]
  const responses = (detail: unknown) => [
    { role: 'user', content: [{ type: 'input_image', image_url: url, detail }] },
  ]
  const tokens = (messages: object[], format: Format) =>
    (messageCounter((text) => text.length)(messages, format)[0]?.total ?? 0) - 4

  test.each([
    ['low', 85],
    ['high', 1105],
    ['auto', 1105],
    [undefined, 1105],
  ])('counts with %s', (detail, expected) => {
    expect(tokens(chat(detail), 'openai-chat')).toBe(expected)
    expect(tokens(responses(detail), 'openai-responses')).toBe(expected)
  })

  test('low needs no size', () => {
    const address = { url: 'https://example.com/a.png', detail: 'low' }
    expect(
      tokens([{ role: 'user', content: [{ type: 'image_url', image_url: address }] }], 'openai-chat'),
    ).toBe(85)
  })

  test('is kept between its formats', () => {
    const made = convertMessages(chat('low'), 'openai-responses', { format: 'openai-chat' })
    expect(made.messages).toMatchObject(responses('low'))
    const back = convertMessages(made.messages, 'openai-chat', { format: 'openai-responses' })
    expect(back.messages).toEqual(chat('low'))
    expect([...made.lost, ...back.lost]).toEqual([])
  })
})
