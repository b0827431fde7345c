import fc from 'fast-check'
import { project } from 'trimtab'
import { truncateOutput } from 'trimtab/recipes'
import { describe, expect, test } from 'vitest'
import { runs } from './random.js'

const MARK = /\n\n\.\.\. \[truncated: ([\d,]+) chars total, ([\d,]+) lines?\] \.\.\.\n\n/
const linesOf = (text: string) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))

/** Tokens as `maxTokens` counts them. */
const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 3.5)

describe('truncateOutput', () => {
  const log = Array.from({ length: 900 }, (_, i) => `line ${i} of the build\n`).join('')

  test('keeps the first and last 2,000 characters of a text over 10,000', () => {
    const mark = `\n\n... [truncated: ${log.length.toLocaleString('en-US')} chars total, 900 lines] ...\n\n`
    expect(truncateOutput(log)).toBe(log.slice(0, 2000) + mark + log.slice(-2000))
    expect(truncateOutput(log.slice(0, 10_000))).toBe(log.slice(0, 10_000))
  })

  test('keeps the given head and tail, if that makes the text shorter', () => {
    expect(truncateOutput('x'.repeat(300), { head: 10, tail: 5 })).toMatch(
      /^x{10}\n\n\.\.\. .* \.\.\.\n\nx{5}$/,
    )
    expect(truncateOutput('x'.repeat(60), { head: 10, tail: 5 })).toBe('x'.repeat(60))
    expect(truncateOutput(log, { head: 0, tail: 8 })).toMatch(/^\n\n\.\.\. .* \.\.\.\n\ne build\n$/)
  })

  test('limits the text by lines and by tokens', () => {
    const byLines = truncateOutput(log, { maxLines: 7 })
    expect(byLines).toBe(
      `line 0 of the build\nline 1 of the build\n\n... [truncated: ${log.length.toLocaleString('en-US')} chars total, 900 lines] ...\n\nline 898 of the build\nline 899 of the build`,
    )
    expect(tokensOf(truncateOutput(log, { maxTokens: 100 }))).toBeLessThanOrEqual(100)
  })

  test('a limit of lines also holds for thousands of bytes, if there are more of them', () => {
    const six = `${'x'.repeat(1_000_000)}\n`.repeat(6)
    expect(Buffer.byteLength(truncateOutput(six, { maxLines: 10 }))).toBeLessThanOrEqual(10_000)
    expect(truncateOutput('x'.repeat(10_999), { maxLines: 10 })).toBe('x'.repeat(10_999))
    const clipped = (content: string) => {
      const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }
      const history = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content },
      ]
      return project(history, { clip: { unit: 'lines', max: 10 } }).messages.at(-1)?.content
    }
    expect(clipped(six)).toHaveLength(
      4000 + '\n\n... [truncated: 6,000,006 chars total, 6 lines] ...\n\n'.length,
    )
    expect(clipped('x'.repeat(10_999))).toBe('x'.repeat(10_999))
  })

  test.each([
    [{ maxTokens: 23 }, 'maxTokens must be a whole number from 24 on'],
    [{ maxLines: 4 }, 'maxLines must be a whole number from 5 on'],
    [{ head: -1 }, 'head must be a whole number from 0 on'],
    [{ tail: Number.NaN }, 'tail must be a whole number'],
    [{ maxTokns: 100 }, 'did you mean `maxTokens`?'],
  ])('refuses %j', (options: object, reason) => {
    expect(() => truncateOutput('x', options)).toThrow(reason)
  })

  test('keeps every limit including its mark, states the true size, and keeps both ends', () => {
    const text = fc.array(fc.constantFrom('word ', 'é', '👨‍👩‍👧', '\n', '\r\n', 'a long piece of text, '), {
      maxLength: 600,
      size: 'max',
    })
    const options = fc.record(
      {
        head: fc.nat(300),
        tail: fc.nat(300),
        maxTokens: fc.integer({ min: 24, max: 300 }),
        maxLines: fc.integer({ min: 5, max: 40 }),
      },
      { requiredKeys: [] },
    )
    let cuts = 0
    fc.assert(
      fc.property(text, options, (pieces, limits) => {
        const text = pieces.join('')
        const shown = truncateOutput(text, limits)
        const { maxTokens = Number.POSITIVE_INFINITY, maxLines = Number.POSITIVE_INFINITY } = limits
        expect(tokensOf(shown)).toBeLessThanOrEqual(maxTokens)
        expect(linesOf(shown)).toBeLessThanOrEqual(maxLines)
        expect(Buffer.byteLength(shown) / 1000).toBeLessThan(maxLines + 1)
        if (shown === text) return
        cuts++
        const [, chars, lines] = MARK.exec(shown) as unknown as [string, string, string]
        expect([chars, lines].map((number) => Number(number.replaceAll(',', '')))).toEqual([
          text.length,
          linesOf(text),
        ])
        const [head, tail] = shown.split(MARK).filter((_, i) => i === 0 || i === 3) as [string, string]
        expect(text.startsWith(head)).toBe(true)
        expect(text.replace(/[\r\n]+$/, '').endsWith(tail.replace(/[\r\n]+$/, ''))).toBe(true)
        expect(head.length).toBeLessThanOrEqual(limits.head ?? Number.POSITIVE_INFINITY)
        expect(tail.length).toBeLessThanOrEqual(limits.tail ?? Number.POSITIVE_INFINITY)
        expect(shown.isWellFormed()).toBe(true)
      }),
      runs,
    )
    expect(cuts).toBeGreaterThan(runs.numRuns / 4)
  })

  test('returns a short text as it is, and cuts a long one to well-formed text', () => {
    expect(truncateOutput('\ud800')).toBe('\ud800')
    expect(truncateOutput(`\ud800${'x'.repeat(20_000)}`).isWellFormed()).toBe(true)
  })
})
