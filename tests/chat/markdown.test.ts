import fc from 'fast-check'
import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { BoundedTokenizer } from '../../www/src/chat/content/bounded-tokenizer.js'
import { finishedParts } from '../../www/src/chat/content/finished-parts.js'
import { withoutTowers } from '../../www/src/chat/content/towers.js'

const tokenizer = new BoundedTokenizer()
const marked = new Marked({ gfm: true, breaks: true, async: false })
marked.setOptions({ tokenizer })

function read(text: string): { html: string; milliseconds: number } {
  tokenizer.reset()
  const before = process.cpuUsage()
  const html = marked.parse(text) as string
  const { user, system } = process.cpuUsage(before)
  return { html, milliseconds: (user + system) / 1000 }
}

// Without the limits, the first five exhaust the stack, and the last two take 16 s of processor time.
test.each<[string, string]>([
  ['nested quotes', `${'> '.repeat(10_000)}deep`],
  ['nested quotes without spaces', `${'>'.repeat(20_000)}deep`],
  ['nested lists', `${'- '.repeat(10_000)}deep`],
  ['nested numbered lists', `${'1. '.repeat(10_000)}deep`],
  ['quotes and lists nested by turns', `${'* > 1. '.repeat(5000)}deep`],
  [
    'lists nested by indentation',
    Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n'),
  ],
  ['emphasis markers that are never closed', '_a'.repeat(50_000)],
  ['emphasis markers that close nothing', 'a_'.repeat(50_000)],
])('%s are rendered without an error, within 2 seconds', (_, text) => {
  const { html, milliseconds } = read(text)
  expect(html.length).toBeGreaterThan(20)
  expect(milliseconds).toBeLessThan(2000)
})

test('ordinary text is rendered as without limits', () => {
  const plain = new Marked({ gfm: true, breaks: true, async: false })
  const paragraph =
    'A *first* look at `code_with_names`, **bold** and ~~gone~~, [a link](https://example.org).\n\n'
  const list = Array.from({ length: 10 }, (_, at) => `${'  '.repeat(at)}- level *${at}*`).join('\n')
  const text = `${paragraph.repeat(300)}${list}\n\n> quote\n> > within **a** quote\n`
  expect(read(text).html).toBe(plain.parse(text))
})

test('a text that reaches the limits does not affect the next one', () => {
  read('_a'.repeat(50_000))
  expect(read('*so* it is').html).toBe('<p><em>so</em> it is</p>\n')
})

describe('finishedParts of a streaming answer', () => {
  const prose = `${'Some words of a paragraph, **bold** and `code`. '.repeat(12)}\n\n`
  const list = `1. one\n\n   Its second paragraph.\n\n2. two\n\n- a\n\n- b\n\n> quote\n\n> more\n\n`
  const code = `\`\`\`ts\n${'const a = 1\n\nConst b = 2\n\n'.repeat(120)}\`\`\`\n\n`
  const table = `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(300)}\n`
  const whole = `${prose + list + prose + code}# Heading\n\n${table}${prose}`.repeat(4)

  test('join to the whole text, and render as the whole', () => {
    const parts = finishedParts(whole)
    expect(parts.length).toBeGreaterThan(8)
    expect(parts.join('')).toBe(whole)
    expect(parts.map((part) => read(part).html).join('')).toBe(read(whole).html)
  })

  test('stay the same when text is added, except for the last one', () => {
    let before: string[] = []
    let made = 0
    for (let length = 50; length < whole.length; length += 50) {
      const parts = finishedParts(whole.slice(0, length))
      expect(parts.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      made += parts.filter((part, at) => part !== before[at]).reduce((sum, part) => sum + part.length, 0)
      before = parts
    }
    // Number of characters read if the whole text were rendered again at every step.
    const naive = (whole.length / 50) * (whole.length / 2)
    expect(made).toBeLessThan(naive / 5)
  })
})

test('finishedParts separates code from the list after it, and splits no short list', () => {
  const words = `${'word '.repeat(500)}\n\n`
  const code = `\`\`\`ts\n${'const a = 1\n\n'.repeat(300)}\`\`\`\n\n`
  const list = `${'- an item\n'.repeat(300)}\n`
  const loose = `${'1. an item\n\n   more of it\n\n'.repeat(100)}`
  const nested = `- an item\n\n  \`\`\`ts\n${'  const a = 1\n'.repeat(300)}  \`\`\`\n\n- another\n\n`
  const quoted = `> ${'word '.repeat(500)}\n\n- an item\n\n`
  const expected = [words, code, list, words, loose, words, code, nested, code, words + quoted, words]
  const parts = finishedParts(expected.join(''))
  expect(parts.map((part) => part.length)).toEqual(expected.map((part) => part.length))
  expect(parts.map((part) => read(part).html).join('')).toBe(read(expected.join('')).html)
})

test('finishedParts adds definitions of links to the parts that refer to them', () => {
  const paragraph = `${'word '.repeat(300)}\n\n`
  const code = `\`\`\`ts\n${'  [name: string]: number\n'.repeat(100)}\`\`\`\n\n`
  const text = `See [the rule][1] and [Other].\n\n${paragraph.repeat(4)}${code}See [1].\n\n${paragraph.repeat(2)}[1]: https://example.org\n[other]: https://example.com\n`
  const parts = finishedParts(text)
  expect(parts.length).toBeGreaterThan(3)
  expect(parts[1]).not.toContain('example.org')
  expect(parts.map((part) => read(part).html).join('')).toBe(read(text).html)
  expect(read(text).html.match(/href/g)).toHaveLength(3)
  // A line that is part of a paragraph defines nothing, and code that has no end yet stays as it is.
  const none = `See [1].\n\n${paragraph.repeat(4)}So:\n[1]: https://example.org\n\n\`\`\`\n[1]\n`
  expect(finishedParts(none).join('')).toBe(none)
  const open = `[1]: https://example.org\n\n${paragraph.repeat(4)}\`\`\`\n[1]\n`
  expect(finishedParts(open).join('')).toBe(open)
})

const HEAD = '| name | value |\n| --- | :-: |\n'

describe('finishedParts divides what takes longer than a frame', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `| row ${at} | a \\| b |\n`).join('')
  const items = Array.from({ length: 1000 }, (_, at) => `${at + 1}. item\n   of two lines\n`).join('')

  test.each([
    ['bullets', `${'- an item with words\n\n  - and another in it\n'.repeat(500)}`],
    ['numbers', items],
    ['a table', HEAD + rows],
    ['a table among paragraphs', `Words.\n\n${HEAD}${rows}\nWords.\n`],
  ])('%s: no part is longer than 9,000 characters, and finished ones stay', (_, text) => {
    let before: string[] = []
    for (let length = 500; length <= text.length; length += 500) {
      const parts = finishedParts(text.slice(0, length))
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(9000)
      expect(parts.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
      before = parts
    }
    expect(before.length).toBeGreaterThan(2)
  })

  test('numbers go on, and a table repeats its head and loses no row', () => {
    const html = finishedParts(items).map((part) => read(part).html)
    expect(html.map((part) => Number(/<ol start="(\d+)"/.exec(part)?.[1] ?? 1))).toEqual(
      html.map((_, at) => 1 + html.slice(0, at).join('').split('<li>').length - 1),
    )
    const table = finishedParts(HEAD + rows)
    expect(table.every((part) => part.startsWith(HEAD))).toBe(true)
    expect(table.map((part) => part.slice(HEAD.length)).join('')).toBe(rows)
  })

  test('a list that starts anew with each item, code and what is no table are not divided', () => {
    const whole = [
      '1. item\n'.repeat(2000),
      `\`\`\`\n${HEAD}${rows}${'- item\n'.repeat(2000)}\`\`\`\n`,
      `| name |\n| --- | --- |\n${rows}`,
    ]
    for (const text of whole) expect(finishedParts(text)).toEqual([text])
  })
})

describe('finishedParts divides at code', () => {
  const MARKS = ['```', '````', '~~~', '~~~~~']
  const LINES = [
    ...MARKS,
    '```ts',
    '~~~ md',
    '',
    '',
    'Words',
    '- item',
    '# Head',
    '| a |',
    '> quote',
    '  x',
    '    y',
  ]
  const INDENTS = ['', ' ', '   ', '    ', '- ', '1. ', '- - ']
  const codeOf = ([indent, mark, lines]: [string, string, string[]]) => {
    const spaces = ' '.repeat(indent.length)
    const isOther = (line: string) => !line.startsWith(mark)
    return [`${indent}${mark}`, ...lines.filter(isOther).map((line) => spaces + line), spaces + mark].join(
      '\n',
    )
  }
  const words = fc.constantFrom('Words.', '**Strong.**', '- item', '1. item', '> quote', '# Head', '---')
  const code = fc.tuple(
    fc.constantFrom(...INDENTS),
    fc.constantFrom(...MARKS),
    fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 100, size: 'max' }),
  )
  const block = fc.oneof(words, code.map(codeOf))
  const blocks = fc.array(fc.tuple(block, fc.constantFrom('\n', '\n\n')), {
    minLength: 50,
    maxLength: 100,
    size: 'max',
  })

  test('as the whole is rendered: with fences of another kind or length in it, in items, and without empty lines', () => {
    let parts = 0
    fc.assert(
      fc.property(blocks, (made) => {
        // Longer lists are divided in another way.
        const text = made.flat().join('').slice(0, 8000)
        const divided = finishedParts(text)
        parts += divided.length
        expect(divided.map((part) => read(part).html).join('')).toBe(read(text).html)
      }),
      { numRuns: 400, endOnFailure: true },
    )
    expect(parts).toBeGreaterThan(1000)
  })

  test.each([
    ['fences of two kinds', '~~~\n```\n'.repeat(5000)],
    ['code after code', '```ts\nconst a = 1\n```\n'.repeat(3000)],
    ['code after words', 'Words:\n```ts\nconst a = 1\n```\n'.repeat(3000)],
  ])('%s: no part is longer than 2,100 characters', (_, text) => {
    const parts = finishedParts(text)
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(2100)
    expect(parts.map((part) => read(part).html).join('')).toBe(read(text).html)
  })
})

test('of many combining marks over one letter, only the first are left (withoutTowers)', () => {
  const zalgo = `Z${'\u0300\u0301'.repeat(50_000)}a${'\u0302'.repeat(32)}lgo`
  expect(withoutTowers(zalgo)).toBe(`Z${'\u0300\u0301'.repeat(16)}…a${'\u0302'.repeat(32)}lgo`)
  const words = 'ngữ pháp, שָׁלוֹם, हिन्दी'.normalize('NFD')
  expect(withoutTowers(words)).toBe(words)
})
