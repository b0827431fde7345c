import { Marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { BoundedTokenizer } from '../../www/src/chat/content/bounded-tokenizer.js'
import { finishedParts } from '../../www/src/chat/content/finished-parts.js'

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
  ['quotes within quotes', `${'> '.repeat(10_000)}deep`],
  ['quotes without spaces', `${'>'.repeat(20_000)}deep`],
  ['lists within lists', `${'- '.repeat(10_000)}deep`],
  ['numbered lists within lists', `${'1. '.repeat(10_000)}deep`],
  ['quotes and lists in turns', `${'* > 1. '.repeat(5000)}deep`],
  ['lists by indentation', Array.from({ length: 300 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n')],
  ['signs of emphasis that never close', '_a'.repeat(50_000)],
  ['signs of emphasis that close nothing', 'a_'.repeat(50_000)],
])('%s neither fail nor hold the page up', (_, text) => {
  const { html, milliseconds } = read(text)
  expect(html.length).toBeGreaterThan(20)
  expect(milliseconds).toBeLessThan(2000)
})

test('what people and models write is read as before', () => {
  const plain = new Marked({ gfm: true, breaks: true, async: false })
  const paragraph =
    'A *first* look at `code_with_names`, **bold** and ~~gone~~, [a link](https://example.org).\n\n'
  const list = Array.from({ length: 10 }, (_, at) => `${'  '.repeat(at)}- level *${at}*`).join('\n')
  const text = `${paragraph.repeat(300)}${list}\n\n> quote\n> > within **a** quote\n`
  expect(read(text).html).toBe(plain.parse(text))
})

test('one text that reaches the limits leaves nothing for the next', () => {
  read('_a'.repeat(50_000))
  expect(read('*so* it is').html).toBe('<p><em>so</em> it is</p>\n')
})

describe('an answer that is still coming', () => {
  const prose = `${'Some words of a paragraph, **bold** and `code`. '.repeat(12)}\n\n`
  const list = `1. one\n\n   Its second paragraph.\n\n2. two\n\n- a\n\n- b\n\n> quote\n\n> more\n\n`
  const code = `\`\`\`ts\n${'const a = 1\n\nConst b = 2\n\n'.repeat(120)}\`\`\`\n\n`
  const table = `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(300)}\n`
  const whole = `${prose + list + prose + code}# Heading\n\n${table}${prose}`.repeat(4)

  test('is the whole, cut where nothing belongs together', () => {
    const parts = finishedParts(whole)
    expect(parts.length).toBeGreaterThan(8)
    expect(parts.join('')).toBe(whole)
    expect(parts.map((part) => read(part).html).join('')).toBe(read(whole).html)
  })

  test('keeps its parts: with each word the last one alone is another', () => {
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

test('code and the list after it are parts of their own, and a list stays in one piece', () => {
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

test('a text with link definitions stays whole: any part of it may refer to them', () => {
  const paragraph = `${'word '.repeat(300)}\n\n`
  expect(finishedParts(paragraph.repeat(4)).length).toBeGreaterThan(1)
  const text = `See [the rule][1].\n\n${paragraph.repeat(4)}[1]: https://example.org\n`
  expect(finishedParts(text)).toEqual([text])
})
