import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { BoundedTokenizer } from '../../www/src/chat/content/bounded-tokenizer.js'

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

// Without the limits the first five run out of stack, and the last three take 1 to 16 s of processor time.
test.each<[string, string]>([
  ['quotes within quotes', `${'> '.repeat(10_000)}deep`],
  ['quotes without spaces', `${'>'.repeat(20_000)}deep`],
  ['lists within lists', `${'- '.repeat(10_000)}deep`],
  ['numbered lists within lists', `${'1. '.repeat(10_000)}deep`],
  ['quotes and lists in turns', `${'* > 1. '.repeat(5000)}deep`],
  ['lists by indentation', Array.from({ length: 600 }, (_, at) => `${' '.repeat(2 * at)}- a`).join('\n')],
  ['signs of emphasis that never close', '_a'.repeat(50_000)],
  ['signs of emphasis that close nothing', 'a_'.repeat(50_000)],
])('%s neither fail nor hold the page up', (_, text) => {
  const { html, milliseconds } = read(text)
  expect(html.length).toBeGreaterThan(20)
  expect(milliseconds).toBeLessThan(700)
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
