import fc from 'fast-check'
import { createIndex } from 'trimtab/index'
import { expect, test } from 'vitest'
import { runs } from '../node/random.js'
import { bm25, type Passage, wordsOf } from './bm25.js'

/** Maximum lines of a passage without a new beginning. */
const LONGEST = 40

const word = fc.constantFrom(
  'parseHttpRequest',
  'HTTPServer',
  'get_user_name',
  'user',
  'request',
  'retry',
  '__init__',
  'utf8',
  'users2',
  'x',
  'MAX_TOKENS',
)
const line = fc.array(word, { maxLength: 6 }).map((words) => `${words.join(' (')};`)
const file = fc.array(line, { minLength: 1, maxLength: 90 })
const corpus = fc.array(file, { minLength: 1, maxLength: 8 })
const question = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))

const passagesOf = (files: readonly string[][]): Passage[] =>
  files.flatMap((lines, at) =>
    Array.from({ length: Math.ceil(lines.length / LONGEST) }, (_, part) => ({
      path: `src/file${at}.txt`,
      startLine: part * LONGEST + 1,
      text: lines.slice(part * LONGEST, (part + 1) * LONGEST).join('\n'),
    })),
  )

test('wordsOf splits identifiers into words', () => {
  expect(wordsOf('parseHttpRequest(get_user, __x__)')).toEqual([
    'parsehttprequest',
    'parse',
    'http',
    'request',
    'get_user',
    'get',
    'user',
  ])
})

test('word scores of query equal BM25', () => {
  fc.assert(
    fc.property(corpus, question, (files, text) => {
      using index = createIndex()
      files.forEach((lines, at) => {
        index.add({ path: `src/file${at}.txt`, content: `${lines.join('\n')}\n` })
      })
      const expected = bm25(passagesOf(files), text)
      const hits = index.query(text, { symbols: false, budget: { lines: 100_000 } })
      expect(hits).toHaveLength(expected.size)
      const scores = [...expected.values()].sort((a, b) => b - a)
      hits.forEach((hit, place) => {
        const [passage, score] = [...expected].find(
          ([each]) => each.path === hit.path && each.startLine === hit.startLine,
        ) as [Passage, number]
        expect(hit.score).toBeCloseTo(score, 9)
        expect(hit.score).toBeCloseTo(scores[place] as number, 9)
        expect(hit.text).toBe(passage.text)
      })
    }),
    runs,
  )
})
