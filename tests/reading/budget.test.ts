// One token limit for all answers of the reading tools, and nothing out of reach: generated files are read to
// their ends by following the answers. `npm run laws -- --only reading` reads 100,000.
import fc from 'fast-check'
import type { Curator } from 'trimtab/reading'
import { afterAll, expect, test } from 'vitest'
import { runs, seed } from '../node/random.js'
import { readToItsEnd } from './seen.js'

const number = fc.nat({ max: 999 })
const word = fc.constantFrom('a', 'limit', 'token', 'parse', 'Ünïcode', '漢字', '🙂', 'x'.repeat(150), '')
const definition = fc.tuple(fc.nat({ max: 13 }), number, word).map(([kind, n, name]) => {
  const id = `${name.replace(/[^a-zÀ-ÿ]/gi, '') || 'f'}${n}`
  return [
    `def ${id}(value):\n    first = value\n    return first\n`,
    `class ${id.toUpperCase()}:\n    def one(self):\n        pass\n\n    def two(self):\n        pass\n`,
    `export function ${id}(a: number) {\n  return a\n}\n`,
    `describe('${id}', () => {\n  it('does ${n}', () => {\n    expect(1)\n  })\n})\n`,
    `## ${id}\n\nSome words of it.\n`,
    `"${id}": {\n  "a": ${n}\n},`,
    `#define ${id} ${n}`,
    `fn ${id}() -> u32 {\n    ${n}\n}\n`,
    `${id} = ${n}`,
    `    ${'if (a) { '.repeat(n % 12)}`,
    `## ${n % 30}\n\nUnder a number.\n`,
    `## ${id} ${'and so on '.repeat(20)}\n\nUnder a long name.\n`,
    `class Outer {\n  inner = class {\n    ${id}() {}\n  }\n  static ${id}() {}\n}\n`,
    `## Twice\n\n### ${id}\n`,
  ][kind] as string
})
const filler = fc.constantFrom(
  '',
  '}',
  '  | 12',
  '   3 | x',
  '    12\tx',
  '...',
  '... 3 definitions, lines 5-9',
  '// words',
  '\t}',
  'end',
)
const long = fc
  .tuple(fc.constantFrom('word ', '漢', '🙂', 'e\u0301', 'x', '\u2028'), fc.integer({ min: 1, max: 9000 }))
  .map(([text, times]) => text.repeat(times))
const block = fc.oneof(
  { weight: 12, arbitrary: definition },
  { weight: 6, arbitrary: filler },
  { weight: 1, arbitrary: long },
)

const content = fc
  .tuple(
    fc.array(block, { maxLength: 60 }),
    fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 4, 4, 25),
    fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
    fc.constantFrom('', '\n'),
    fc.constantFrom('', '', '\ufeff'),
  )
  .map(([blocks, times, end, last, mark]) => {
    const text = Array.from({ length: times }, () => blocks.join('\n'))
      .join('\n')
      .slice(0, 150_000)
    return mark + text.replaceAll('\n', end) + (text === '' ? '' : last.replace('\n', end))
  })
/** The text as UTF-16 with a byte order mark. */
function utf16(text: string, isLittle: boolean): Uint8Array {
  const units = `\ufeff${text.replace('\ufeff', '')}`
  const bytes = new Uint8Array(units.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < units.length; at++) view.setUint16(2 * at, units.charCodeAt(at), isLittle)
  return bytes
}
const stored = fc
  .tuple(content, fc.constantFrom('text', 'text', 'text', 'text', 'text', 'little', 'big'))
  .map(([text, as]) => (as === 'text' ? text : utf16(text, as === 'little')))
const path = fc.constantFrom(
  'a.py',
  'a.ts',
  'a.md',
  'a',
  'a.json',
  'a.c',
  'a.rs',
  `${'folder/'.repeat(12)}a.py`,
  'a "b".ts',
  'a\\b.md',
)
const limit = fc.constantFrom(400, 1000, 3000)
/** Counters that count more than the estimate, less, and digits and blanks as an encoding does. */
const counter = fc.option(
  fc.constantFrom(
    (text: string) => text.length,
    (text: string) => Math.ceil(text.length / 6),
    (text: string) => text.match(/\d{1,3}|[A-Za-z]{1,5}|\s+|./gsu)?.length ?? 0,
  ),
  { nil: undefined, freq: 2 },
)
const mode = fc.constantFrom(undefined, undefined, 'full', 'curated', 'structure')
const conversation = fc.constantFrom([], [{ role: 'user', text: 'Where is the token limit of parse?' }])

const ranges = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 300 }),
    fc.nat({ max: 60 }),
    fc.constantFrom('why', 'because '.repeat(400)),
  ),
  {
    maxLength: 40,
  },
)
const curator = fc.option(
  ranges.map((list): Curator => {
    const answer = list.map(([start, length, reason]) => ({ start, end: start + length, reason }))
    return async () => ({ content: JSON.stringify({ line_ranges: answer, summary: 'words '.repeat(900) }) })
  }),
  { nil: undefined, freq: 4 },
)

const total = { files: 0, answers: 0, hints: 0 }
afterAll(() => console.log(`reading: ${JSON.stringify(total)}`))

/** Files read at a time: each read waits for a digest that another thread computes. */
const AT_ONCE = 4

test('reading tools stay within their token limit, give working hints and reach every line', async () => {
  const cases = Number(process.env.TRIMTAB_CASES ?? 300)
  const parts = Array.from({ length: AT_ONCE }, (_, part) =>
    readAll(seed * AT_ONCE + part, Math.ceil(cases / AT_ONCE)),
  )
  await Promise.all(parts)
})

function readAll(seed: number, numRuns: number): Promise<void> {
  return fc.assert(
    fc.asyncProperty(
      fc.record(
        { path, content: stored, limit, counter, mode, conversation, curator },
        { requiredKeys: ['path', 'content', 'limit'] },
      ),
      async (setting) => {
        const { faults, answers, hints } = await readToItsEnd(
          setting as unknown as Parameters<typeof readToItsEnd>[0],
        )
        total.files++
        total.answers += answers
        total.hints += hints
        expect(faults).toEqual([])
      },
    ),
    { ...runs, seed, numRuns },
  )
}
