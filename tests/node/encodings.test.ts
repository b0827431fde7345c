import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { TrimtabError } from 'trimtab'
import { type EncodingName, encodingNames, loadEncoding } from 'trimtab/encodings'
import { createEncoding } from 'trimtab/encodings/custom'
import { beforeAll, describe, expect, test } from 'vitest'
import { vocabulary as o200k } from '../../js/dist/encodings/vocabularies/o200k_base.js'
import { runs } from './random.js'

type Encoding = Awaited<ReturnType<typeof loadEncoding>>

/** Tokens of `hello world` from each publisher's own tokenizer. */
const HELLO: Record<EncodingName, number[]> = {
  o200k_base: [24912, 2375],
  o200k_harmony: [24912, 2375],
  cl100k_base: [15339, 1917],
  llama3: [15339, 1917],
  qwen2: [14990, 1879],
  deepseek_v3: [33310, 2058],
  deepseek_v4: [33310, 2058],
}

/** Pieces that are hard to encode, joined to texts. */
const pieces = fc.constantFrom(
  ...[
    'word',
    'Word',
    "it's",
    "I'LL",
    "'ſ",
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '\u0085',
    '\u00a0',
    '\u3000',
    '\ufeff',
  ],
  ...[
    '123',
    '4567',
    '٣',
    '½',
    '!?',
    '/',
    '\n/',
    '日本',
    'バ',
    '한',
    '👩\u200d👧',
    '🇩🇪',
    'e\u0301',
    '\u0301',
    '\0\0',
  ],
  ...['<|endoftext|>', '<|im_end|>', '<|start|>', '<｜User｜>', '\u200d\u200d', '\ud800', 'ß', 'кот', 'ไทย'],
)
const texts = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 })
  .map((parts) => parts.join(''))

const asUtf8 = (text: string) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))

describe.each(encodingNames)('encoding %s', (name) => {
  let encoding: Encoding
  beforeAll(async () => {
    encoding = await loadEncoding(name)
  })

  test('gives the token ids of its publisher', () => {
    expect([...encoding.encode('hello world')]).toEqual(HELLO[name])
    expect(encoding.decode(HELLO[name])).toBe('hello world')
    expect(encoding.name).toBe(name)
    expect(encoding.count('')).toBe(0)
    expect(encoding.encode('')).toHaveLength(0)
  })

  test('decodes every text it encodes, and counts its tokens', () => {
    const check = (text: string) => {
      for (const options of [{}, { allowSpecial: 'all' }] as const) {
        const tokens = encoding.encode(text, options)
        expect(encoding.count(text, options)).toBe(tokens.length)
        const normal = asUtf8(name === 'qwen2' ? text.normalize('NFC') : text)
        expect(encoding.decode(tokens)).toBe(normal)
      }
    }
    fc.assert(fc.property(texts, check), runs)
  })

  test('encodes long runs of any characters', () => {
    // A megabyte takes long, so only one encoding is tested with it.
    const size = name === 'cl100k_base' ? 1 << 20 : 1 << 15
    const long = (piece: string) => piece.repeat(Math.ceil(size / new TextEncoder().encode(piece).length))
    const shapes = [
      ' ',
      '\n',
      '\t',
      '\r\n',
      'a',
      'ACGT',
      '的',
      '👩‍👩‍👧‍👦',
      '!',
      '/',
      "'",
      '\0',
      '\u0301',
      '\u200d',
      '1',
    ]
    for (const text of [...shapes, '　　中', '!\n　　—', '   1', ' \n', '\ufeff', 'Zm9vYmFy', 'ab1 '].map(
      long,
    )) {
      const tokens = encoding.encode(text)
      expect(encoding.count(text)).toBe(tokens.length)
      expect(encoding.decode(tokens) === text, JSON.stringify(text.slice(0, 9))).toBe(true)
    }
  })

  test('is the same object each time it is loaded', async () => {
    expect(await loadEncoding(name)).toBe(encoding)
  })
})

describe('special tokens', () => {
  test('are encoded as text unless allowed', async () => {
    const encoding = await loadEncoding('o200k_base')
    const text = 'a<|endoftext|>b<|endofprompt|>'
    expect(encoding.count(text)).toBeGreaterThan(8)
    expect([...encoding.encode(text, { allowSpecial: 'all' })]).toEqual([64, 199999, 65, 200018])
    const one = encoding.encode(text, { allowSpecial: ['<|endofprompt|>'] })
    expect(one.at(-1)).toBe(200018)
    expect([...one]).not.toContain(199999)
    expect(encoding.encode(text, { allowSpecial: [] })).toEqual(encoding.encode(text))
  })

  test('differ between two encodings of one vocabulary file', async () => {
    const harmony = await loadEncoding('o200k_harmony')
    const base = await loadEncoding('o200k_base')
    expect([...harmony.encode('<|return|>', { allowSpecial: 'all' })]).toEqual([200002])
    expect(base.encode('<|return|>', { allowSpecial: 'all' })).toEqual(base.encode('<|return|>'))
  })
})

test('qwen2 normalizes text to NFC', async () => {
  const encoding = await loadEncoding('qwen2')
  expect(encoding.encode('e\u0301')).toEqual(encoding.encode('\u00e9'))
})

test('an encoding still works after a WebAssembly trap', async () => {
  const encoding = await loadEncoding('o200k_base')
  const trap = () => {
    throw new WebAssembly.RuntimeError('unreachable')
  }
  expect(() => o200k.enter(trap)).toThrow(expect.objectContaining({ code: 'engine_failed' }))
  expect(encoding.decode(encoding.encode('hello world '.repeat(9000)))).toBe('hello world '.repeat(9000))
  expect(encoding.count('hello world')).toBe(2)
})

describe('invalid input to an encoding', () => {
  const wrong = (code: string, words: string) =>
    expect.objectContaining({ code, message: expect.stringContaining(words) })

  test('is refused with the allowed values', async () => {
    const encoding = await loadEncoding('cl100k_base')
    await expect(loadEncoding('gpt-9' as EncodingName)).rejects.toThrow(
      wrong('unknown_encoding', 'o200k_base, '),
    )
    await expect(loadEncoding('toString' as EncodingName)).rejects.toThrow(TrimtabError)
    expect(() => encoding.decode([1, 100256])).toThrow(wrong('invalid_tokens', 'tokens[1] is 100256'))
    expect(() => encoding.decode([1.5])).toThrow(wrong('invalid_tokens', 'tokens[0]'))
    expect(() => encoding.decode([-1])).toThrow(wrong('invalid_tokens', '-1'))
    expect(() => encoding.decode(7 as never)).toThrow(wrong('invalid_tokens', 'an array'))
    expect(() => encoding.count(null as never)).toThrow(wrong('invalid_option', 'text must be a string'))
    expect(() => encoding.count('x', { allowSpecial: ['<|no|>'] })).toThrow(
      wrong('invalid_option', '<|endoftext|>'),
    )
    expect(() => encoding.count('x', { allowSpecial: 'some' as never })).toThrow(
      wrong('invalid_option', "'all'"),
    )
  })
})

describe('createEncoding', () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]))
  const words = ['he', 'll', 'hell', 'hello'].map((word) => Buffer.from(word))
  const vocabulary = [...bytes, ...words]
    .map((token, rank) => `${token.toString('base64')} ${rank}`)
    .join('\n')
  const pattern = String.raw`\w+|\s+(?!\S)|\s+|[^\w\s]+`

  test('makes an encoding of a custom vocabulary', async () => {
    const special = { '<|end|>': 900 }
    const encoding = await createEncoding({ vocabulary, pattern, special })
    expect([...encoding.encode('hello <|end|>', { allowSpecial: 'all' })]).toEqual([259, 32, 900])
    expect(encoding.decode([259, 32, 900])).toBe('hello <|end|>')
    const same = await createEncoding({ vocabulary: new TextEncoder().encode(vocabulary), pattern })
    expect(same.encode('hell hello')).toEqual(encoding.encode('hell hello'))
    expect(same.count('<|end|>')).toBe(7)
  })

  test.each([
    ['invalid_vocabulary', 'line 1', { vocabulary: 'no vocabulary', pattern }],
    ['invalid_vocabulary', '0x00', { vocabulary: '', pattern }],
    ['invalid_vocabulary', 'vocabulary', { pattern } as never],
    ['invalid_option', 'regular expression', { vocabulary, pattern: '(' }],
    ['invalid_option', 'pattern', { vocabulary } as never],
    ['invalid_option', 'id 7', { vocabulary, pattern, special: { x: 7 } }],
    ['invalid_option', 'whole numbers', { vocabulary, pattern, special: { x: -1 } }],
  ])('refuses invalid input as %s: %s', async (code, words, custom) => {
    const error = { code, message: expect.stringContaining(words) }
    await expect(createEncoding(custom)).rejects.toThrow(expect.objectContaining(error))
  })
})

const DATA = new URL('../../../shared/data', import.meta.url).pathname

test.skipIf(!existsSync(DATA))('o200k_base decodes real sessions to their original text', async () => {
  const encoding = await loadEncoding('o200k_base')
  for (const file of readdirSync(DATA)) {
    const text = readFileSync(join(DATA, file), 'utf8')
    expect(encoding.decode(encoding.encode(text)) === text, file).toBe(true)
  }
})
