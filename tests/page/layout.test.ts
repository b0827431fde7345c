import { describe, expect, test } from 'vitest'
import { bandPath, linePath, samplePositions } from '../../www/src/chart-layout.js'
import { niceTicks, percentSaved, short } from '../../www/src/numbers.js'
import { countLines, preview } from '../../www/src/preview.js'
import { RowHeights } from '../../www/src/row-heights.js'

describe('preview', () => {
  test('cuts a text at a number of lines or characters', () => {
    expect(preview('a\nb\nc\nd', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', cut: true })
    expect(preview('abcdef', { lines: 9, chars: 4 })).toEqual({ text: 'abcd', cut: true })
    expect(preview('a\nb', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', cut: false })
    expect(preview('a\nb\n', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb\n', cut: false })
    expect(preview('', { lines: 2, chars: 100 })).toEqual({ text: '', cut: false })
  })

  test('never splits a surrogate pair', () => {
    expect(preview('ab😀cd', { lines: 1, chars: 3 }).text).toBe('ab')
    expect(preview('ab😀cd', { lines: 1, chars: 4 }).text).toBe('ab😀')
  })

  test('counts the empty line after a final line break (countLines)', () => {
    expect(['', 'a', 'a\n', 'a\nb'].map(countLines)).toEqual([1, 1, 2, 2])
  })
})

describe('RowHeights', () => {
  test('computes the starts of rows from measured heights', () => {
    const heights = new RowHeights(4, () => 10)
    expect(heights.total).toBe(40)
    expect(heights.measure(1, 25)).toBe(true)
    expect(heights.measure(1, 25.2)).toBe(false)
    expect([0, 1, 2, 3, 4].map((row) => heights.start(row))).toEqual([0, 10, 35, 45, 55])
    heights.measure(0, 5)
    expect(heights.start(2)).toBe(30)
  })

  test('returns the row at a vertical position', () => {
    const heights = new RowHeights(3, (row) => (row + 1) * 10)
    expect([-5, 0, 9, 10, 29, 30, 999].map((y) => heights.rowAt(y))).toEqual([0, 0, 0, 1, 1, 2, 2])
    expect(new RowHeights(0, () => 1).rowAt(5)).toBe(0)
  })
})

describe('the chart', () => {
  test('samples requests in order without repeats, with the first and the last (samplePositions)', () => {
    expect(samplePositions(3, 240)).toEqual([0, 1, 2])
    const many = samplePositions(5000, 240)
    expect([many.length, many[0], many.at(-1)]).toEqual([240, 0, 4999])
    expect(new Set(many).size).toBe(240)
    expect([...many].sort((a, b) => a - b)).toEqual(many)
  })

  test('has SVG paths for lines and bands (linePath, bandPath)', () => {
    const upper = [
      { x: 0, y: 1 },
      { x: 5, y: 2.04 },
    ]
    const lower = [
      { x: 0, y: 3 },
      { x: 5, y: 4 },
    ]
    expect(linePath(upper)).toBe('M0 1L5 2')
    expect(bandPath(upper, lower)).toBe('M0 1L5 2L5 4L0 3Z')
    expect(bandPath([], [])).toBe('')
  })
})

describe('displayed numbers', () => {
  test('are abbreviated to thousands and millions (short)', () => {
    expect([0, 999, 1000, 12_340, 99_940, 99_960, 142_260, 999_499, 999_600, 1_240_000].map(short)).toEqual([
      '0',
      '999',
      '1k',
      '12.3k',
      '99.9k',
      '100k',
      '142k',
      '999k',
      '1M',
      '1.2M',
    ])
  })

  test('state the saved share in percent (percentSaved)', () => {
    expect(percentSaved(0, 0)).toBe('0')
    expect(percentSaved(200, 100)).toBe('50')
    expect(percentSaved(300, 100)).toBe('66.7')
  })

  test('are round at the ticks of an axis, which start at 0 (niceTicks)', () => {
    expect(niceTicks(142_260, 3)).toEqual([0, 50_000, 100_000])
    expect(niceTicks(90, 3)).toEqual([0, 50])
    expect(niceTicks(0, 3)).toEqual([0])
  })
})
