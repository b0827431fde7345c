import fc from 'fast-check'
import { createIndex, type Digest } from 'trimtab/index'
import { outline } from 'trimtab/outline'
import { describe, expect, test } from 'vitest'
import { runs } from '../node/random.js'

const CODE = Array.from({ length: 40 }, (_, at) =>
  [
    `/** Does ${at}. */`,
    `export function step${at}(count) {`,
    `  const total = count + ${at}`,
    ...(at === 17 ? ['  // the cache evicts entries here', '  cache.evict(total)'] : []),
    '  return total',
    '}',
    '',
  ].join('\n'),
).join('\n')

/** The lines of a text as `cat -n` and `formatRead` number them, computed independently of the index. */
function numbered(content: string): string[] {
  const ends = content.includes('\n') ? /\n/g : /\r/g
  const lines = content.split(ends)
  if (lines.at(-1) === '') lines.pop()
  const isWindows =
    content.includes('\n') && (content.match(/\n/g) ?? []).length === (content.match(/\r\n/g) ?? []).length
  return isWindows ? lines.map((line) => line.replace(/\r$/, '')) : lines
}

/**
 * Checks that every numbered line of a digest is that line of the file, and that all else is header or gap.
 */
function checkLines({ text, ranges, totalLines, shownLines }: Digest, content: string, room: number) {
  const lines = numbered(content)
  expect(totalLines).toBe(lines.length)
  expect(shownLines).toBeLessThanOrEqual(Math.max(room, 0))
  const [file, total, ...body] = text.split('\n')
  expect(file).toMatch(/^File: .* \(digest\)$/)
  expect(total).toMatch(/^Total lines: \d+ \| Preserved: \d+ \(\d+\.\d%\)$/)
  const shown = ranges.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at),
  )
  expect(shown).toHaveLength(shownLines)
  const expected = shown.map((number) => `${String(number).padStart(4)} | ${lines[number - 1]}`)
  expect(body.filter((line) => line !== '...')).toEqual(expected.filter((line) => line !== '...'))
}

describe('digest', () => {
  test('shows lines about the conversation and definitions of the file', () => {
    const index = createIndex()
    index.add({ path: 'steps.js', content: CODE })
    const digest = index.digest('steps.js', 'Where does the cache evict entries?', { lines: 30 })
    checkLines(digest, CODE, 30)
    expect(digest.text).toContain('cache.evict(total)')
    expect(digest.text).toContain('export function step0(count) {')
    expect(digest.text).toContain('\n...\n')
    expect(index.digest('steps.js', 'Where does the cache evict entries?', { lines: 30 })).toEqual(digest)
  })

  test('has the form of document "Unified read_file"', () => {
    const index = createIndex()
    index.add({ path: 'a.txt', content: 'one\ntwo\n' })
    expect(index.digest('a.txt', '')).toEqual({
      path: 'a.txt',
      text: 'File: a.txt (digest)\nTotal lines: 2 | Preserved: 2 (100.0%)\n   1 | one\n   2 | two',
      ranges: [{ startLine: 1, endLine: 2 }],
      totalLines: 2,
      shownLines: 2,
    })
  })

  test('accepts a file that is not in the index', () => {
    const digest = createIndex().digest({ path: 'steps.js', content: CODE }, 'evict', { lines: 12 })
    checkLines(digest, CODE, 12)
  })

  test('shows where the given sections start', async () => {
    const content = `def one():\n${'    work()\n'.repeat(60)}\ndef two():\n    pass\n`
    const { sections } = await outline('a.py', content)
    const index = createIndex()
    index.add({ path: 'a.py', content, sections })
    const { text } = index.digest('a.py', 'nothing of it', { lines: 6 })
    expect(text).toContain('   1 | def one():')
    expect(text).toContain('  63 | def two():')
  })

  test('counts a wide line as several lines', () => {
    const content = `${'x'.repeat(1000)}\n`.repeat(20)
    expect(createIndex().digest({ path: 'a', content }, 'x', { lines: 15 }).shownLines).toBeLessThan(3)
  })

  test('shows numbered lines byte for byte as in the file', () => {
    const line = fc.oneof(
      fc.constantFrom('export function retry(count) {', '  evict(entries)', '}', '', '...', '  12 | fake'),
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ' ')),
      fc.constant('wide '.repeat(100)),
    )
    const content = fc
      .tuple(fc.array(line, { maxLength: 90 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
      .map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''))
    const sections = fc.option(
      fc.array(
        fc.record({
          name: fc.constantFrom('retry', 'évict', 'two words'),
          startLine: fc.integer({ min: 1, max: 99 }),
          endLine: fc.integer({ min: 1, max: 99 }),
        }),
        { maxLength: 5 },
      ),
      { nil: undefined },
    )
    fc.assert(
      fc.property(content, sections, fc.nat(100), fc.boolean(), (content, sections, lines, isKnown) => {
        using index = createIndex()
        const file = { path: 'a.js', content, ...(sections && { sections }) }
        index.add(file)
        checkLines(index.digest(isKnown ? 'a.js' : file, 'retry evict', { lines }), content, lines)
      }),
      runs,
    )
  })
})
